"""A second, straightforward implementation of a club's figures, from `docs/clubs.md` alone.

It shares no code with `referee/extras/clubs`: it takes sheets that were played through, and goes
through all of them for each figure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from referee.rules.core.entries import SHARED, Abandon, Buy, Join, Leave, Replace, Stop
from referee.rules.registry import GAMES
from referee.sheets.files import Course
from tests.extras.clubs.test_ratings import by_hand

Rating = tuple[float, float]

#: Games that are over when everybody has dealt, unless a number of deals is agreed.
DEALT_OUT = ("red-nines", "red-nines-1881", "pink-nines")


def same(name: str) -> str:
    """A form that is equal for names that differ only in capitals and blanks."""
    return " ".join(name.split()).casefold()


@dataclass
class Part:
    """The result of a game for one name."""

    name: str
    place: int = 0
    points: int = 0
    seated: bool = False
    rated: bool = False
    deals: list[tuple[int, int]] = field(default_factory=list)  # row, points
    behind: tuple[int, int] | None = None  # points, row
    feats: list[str] = field(default_factory=list)


@dataclass
class Game:
    """A sheet, with its names: seated, then left, then handed over."""

    sheet: int
    key: str
    parts: list[Part]
    ended: str
    stopped: bool
    lowest: bool
    deals: int
    target: int
    agreed: int
    even: bool
    day: str = ""
    at: str = ""

    @property
    def slug(self) -> str:
        """The game's own name."""
        return self.key.partition(":")[0]

    @property
    def length(self) -> str:
        """The length by its house rules, as documents have it."""
        target = f"target {self.target}" if self.target else ""
        deals = f"deals {self.agreed}" if self.agreed else ""
        given = ", ".join(words for words in (target, deals) if words)
        return given or ("everybody deals" if self.slug in DEALT_OUT else "open end")

    @property
    def contest(self) -> tuple[str, str]:
        """The games that share its records."""
        return same(self.key), self.length

    def part(self, person: str, people: Mapping[str, str]) -> Part | None:
        """A person's part in it."""
        return next((one for one in self.parts if people.get(same(one.name)) == person), None)


def utc(at: str) -> str:
    """A time in UTC, empty for an invalid one."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return ""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


def game_of(sheet: int, course: Course, called: str, ended: str) -> Game:  # noqa: PLR0912, PLR0915 - once over the sheet, from top to bottom
    """A sheet that was played through, seat by seat."""
    game: Any = course.game
    state: Any = course.start
    each = game.counters.each(state.table.options)
    lowest = game.goal.lowest_wins(state.table.options)
    holder = {name: seat for seat, name in enumerate(state.table.players)}  # a seat is a number
    given = dict.fromkeys(holder.values(), each)
    deals: list[tuple[int, dict[int, tuple[str, int]], dict[int, int]]] = []
    stakes = {name: total - each for name, total in state.totals.items()}
    gained: dict[str, int] = {}
    first_row, feats = 0, list[tuple[str, str]]()
    fell: dict[str, int] = {}  # after how many steps
    for at, step in enumerate(course.steps):
        before, state = state, step.after
        for gone in state.left:
            if gone not in before.left and not (
                isinstance(step.entry, Leave) and step.entry.player == gone.name
            ):
                fell[gone.name] = at
        feats += game.feats.of(before, step.entry, step.lines)
        opening = dict.fromkeys(state.everybody, 0)
        brought = dict.fromkeys(state.everybody, 0)
        for line in step.lines:
            for name, points in line.gains:
                (opening if line.opens else brought)[name] += points
        match step.entry:
            case Replace(player=was, by=by):
                holder[by] = holder.pop(was)
                if was in fell:
                    fell[by] = fell.pop(was)
                for table in (stakes, gained):
                    if was in table:
                        table[by] = table.pop(was)
            case Join(player=name):
                fell.pop(name, None)
                if name not in holder:
                    holder[name] = len(given)
                    given[holder[name]] = brought[name]
            case Buy(player=name, amount=amount):
                given[holder[name]] += amount
        if game.unit == "chip" and (state.finished or not state.begun):
            chips = state.scores if state.finished else state.stakes.held
            for name, held in zip(state.table.players, chips, strict=True):
                if held:
                    fell.pop(name, None)
                else:
                    fell.setdefault(name, at)
        if isinstance(step.entry, SHARED):
            if isinstance(step.entry, Abandon):
                gained, first_row = {}, 0
            for name, points in opening.items():
                stakes[name] = stakes.get(name, 0) + points
            continue
        if not before.begun:  # other blinds, and a deal that voids itself, begin none
            first_row = step.seq
        for name, points in brought.items():
            gained[name] = gained.get(name, 0) + points
        if not (state.finished or state.deal != before.deal):
            for name, points in opening.items():
                stakes[name] = stakes.get(name, 0) + points
            continue
        seated = before.table.players
        made = {holder[name]: (name, gained.get(name, 0) + stakes.get(name, 0)) for name in seated}
        totals = {holder[name]: state.totals[name] - opening[name] for name in seated}
        deals.append((first_row, made, totals))
        stakes, gained, first_row = opening, {}, 0
    parts = {same(name): Part(name) for name in state.everybody}
    for row, made, _ in deals:
        for name, points in made.values():
            parts.setdefault(same(name), Part(name)).deals.append((row, points))
    for name, feat in feats:
        parts[same(name)].feats.append(feat)
    winners = [state.name(seat) for seat in state.winners]
    scores = dict(zip(state.table.players, state.scores, strict=True))
    stayed = {name: score for name, score in scores.items() if name not in fell}
    for name in state.everybody:
        part = parts[same(name)]
        part.seated = name in scores
        part.rated = part.seated or name in fell
        if not winners:
            continue
        part.points = state.totals[name] - (given[holder[name]] if game.has_counters else 0)
        if name in winners:
            part.place = 1
            for row, made, totals in deals:
                if holder[name] in made:
                    best = min(totals.values()) if lowest else max(totals.values())
                    behind = abs(best - totals[holder[name]])
                    if behind and (part.behind is None or behind > part.behind[0]):
                        part.behind = (behind, row)
        elif name in stayed:
            better = [
                other
                for other, score in stayed.items()
                if other not in winners
                and (score < scores[name] if lowest else score > scores[name])
            ]
            part.place = 1 + len(winners) + len(better)
        elif name in fell:
            part.place = 1 + len(stayed) + sum(at > fell[name] for at in fell.values())
        else:
            part.place = 1 + len({*stayed, *fell})
    return Game(
        sheet=sheet,
        key=game.slug + (f": {called}" if called and game.slug == "plain-score" else ""),
        parts=list(parts.values()),
        ended=utc(ended),
        stopped=bool(course.steps) and isinstance(course.steps[-1].entry, Stop),
        lowest=lowest,
        deals=len(deals),
        target=game.goal.target(state.table.options) or 0,
        agreed=game.deals.agreed(state.table.options) or 0,
        even=game.slug == "multiple-9" and state.table.options.scoring == "deals",
    )


def notes_in_force(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The notes in force: not voided by a void that is in force."""

    def stands(row: dict[str, Any]) -> bool:
        voids = [one for one in rows if one["kind"] == "void" and one["target"] == row["seq"]]
        return not any(stands(one) for one in voids)

    return [row["note"] for row in rows if row["kind"] == "note" and stands(row)]


class Recount:
    """The figures of a club, from its sheets in the order of the file and its notes."""

    def __init__(self, games: Sequence[Game], rows: Sequence[dict[str, Any]]) -> None:
        self.notes = notes = notes_in_force(rows)
        self.merged: dict[str, str] = {}
        self.people = self._who_is_who(games, notes)
        self.guests = self._guests(notes)
        finished = [one for one in games if any(part.place == 1 for part in one.parts)]
        zones = [note["zone"] for note in notes if note["action"] == "place"]
        zone, ended = ZoneInfo(zones[-1]) if zones else None, ""
        for game in finished:
            game.at, ended = game.ended, game.ended or ended
            game.ended = ended
            local = datetime.fromisoformat(ended).astimezone(zone) if ended else None
            game.day = local.strftime("%Y-%m-%d") if local else ""
        self.games = sorted(finished, key=lambda game: game.ended)
        self.names = self._names()
        self.keys = {same(game.key): game.key for game in self.games}
        self.persons = list(
            dict.fromkeys(
                self.people[same(part.name)] for game in self.games for part in game.parts
            )
        )
        self.ratings = self._ratings()

    def _who_is_who(self, games: Sequence[Game], notes: Sequence[dict[str, Any]]) -> dict[str, str]:
        people = {same(part.name): same(part.name) for game in games for part in game.parts}
        for note in notes:
            for name in (note["name"], *note.get("others", ())) if "name" in note else ():
                people.setdefault(same(name), same(name))
            if note["action"] != "merge":
                continue
            wanted = {people[same(name)] for name in (note["name"], *note["others"])}
            together = [
                game
                for game in games
                if sum(people[same(part.name)] in wanted for part in game.parts) > 1
            ]
            if not together:
                self.merged[same(note["name"])] = " ".join(note["name"].split())
                for name, person in people.items():
                    if person in wanted:
                        people[name] = same(note["name"])
        return people

    def _guests(self, notes: Sequence[dict[str, Any]]) -> set[str]:
        last = {
            self.people[same(note["name"])]: note["action"]
            for note in notes
            if note["action"] in ("member", "guest", "gone")
        }
        return {person for person, action in last.items() if action == "guest"}

    def _names(self) -> dict[str, str]:
        """Everybody's name: for a merged person that of the note, as spelled on a sheet."""
        names = dict(self.merged)
        for game in self.games:
            for part in game.parts:
                names[same(part.name)] = " ".join(part.name.split())
        return {name: names[person] for name, person in self.people.items() if person in names}

    def name(self, person: str) -> str:
        """The name of a person."""
        return self.names[person]

    def _ratings(self) -> dict[tuple[str, int], Rating]:
        """Compute everybody's rating after each of their games."""
        now: dict[str, Rating] = {}
        found = {}
        for game in self.games:
            at_the_end = [part for part in game.parts if part.rated and part.place]
            persons = [self.people[same(part.name)] for part in at_the_end]
            before = [now.get(person, (25.0, 25 / 3)) for person in persons]
            if len(persons) > 1:
                after = by_hand(before, [part.place for part in at_the_end])
                now.update(zip(persons, after, strict=True))
            for part in game.parts:
                person = self.people[same(part.name)]
                found[person, game.sheet] = now.get(person, (25.0, 25 / 3))
        return found

    # --- figures

    def of(self, person: str, since: str = "", until: str = "9") -> list[tuple[Game, Part]]:
        """A person's games in a period, with those in which they handed over a seat."""
        found = [(game, game.part(person, self.people)) for game in self.games]
        return [
            (game, part) for game, part in found if part is not None and since <= game.day <= until
        ]

    def duel(self, one: str, other: str, since: str = "", until: str = "9") -> list[list[int]]:
        """The sheets on which `one` placed better than, worse than, and level with `other`."""
        found: list[list[int]] = [[], [], []]
        for game, own in self.of(one, since, until):
            rival = game.part(other, self.people)
            if own.seated and rival is not None and rival.seated:
                which = 0 if own.place < rival.place else 1 if own.place > rival.place else 2
                found[which].append(game.sheet)
        return found

    def owed(self, unit: str, since: str = "", until: str = "9") -> dict[str, int]:
        """Everybody's balance for a period after the payments noted, without zeros."""
        found: dict[str, int] = {}
        for person in self.persons:
            for game, part in self.of(person, since, until):
                if GAMES[game.key.partition(":")[0]].unit == unit:
                    found[person] = found.get(person, 0) + part.points
        for note in self.notes:
            if note["action"] != "paid" or note["unit"] != unit:
                continue
            if since <= note.get("since", "") and note.get("until", "9") <= until:
                for name, amount in (("payer", note["amount"]), ("payee", -note["amount"])):
                    person = self.people.get(same(note[name]), same(note[name]))
                    found[person] = found.get(person, 0) + amount
        return {person: amount for person, amount in found.items() if amount}

    def players(self) -> dict[str, Any]:
        """The `players` of `--json`, without ratings."""
        found = {}
        for person in self.persons:
            own = [(game, part) for game, part in self.of(person) if part.place]
            taken = [part.place for _, part in own]
            points: dict[str, int] = {}
            for game, part in own:
                key = self.keys[same(game.key)]
                points[key] = points.get(key, 0) + part.points
            found[self.name(person)] = {
                "games": len(own),
                "wins": taken.count(1),
                "places": {str(place): taken.count(place) for place in taken},
                "points": points,
            }
        return found

    def head_to_head(self) -> dict[str, dict[str, list[int]]]:
        """Everybody against everybody they met."""
        found: dict[str, dict[str, list[int]]] = {}
        for one in self.persons:
            found[self.name(one)] = {}
            for other in self.persons:
                counted = [len(sheets) for sheets in self.duel(one, other)]
                if one != other and any(counted):
                    found[self.name(one)][self.name(other)] = counted
        return found

    def records(self) -> dict[str, dict[str, Any]]:
        """Each game's records, by its length."""
        found: dict[str, dict[str, Any]] = {}
        for kind, length in dict.fromkeys(game.contest for game in self.games):
            games = [game for game in self.games if game.contest == (kind, length)]
            # For each record: sort key, person, figure, game, row, and sheets.
            offers: dict[str, list[tuple[int, Part, int, Game, int, list[int]]]] = {
                "highest_deal": [
                    (points, part, points, game, row, [game.sheet])
                    for game in games
                    if not game.even
                    for part in game.parts
                    for row, points in part.deals
                ]
            }
            for game in games:
                for part in game.parts:
                    if part.place != 1:
                        continue
                    sheets = self._won_in_a_row(part, game, games)
                    if len(sheets) > 1:
                        offers.setdefault("longest_streak", []).append(
                            (len(sheets), part, len(sheets), game, 0, sheets)
                        )
                    if game.stopped or not game.deals:
                        continue
                    if part.behind:
                        behind, row = part.behind
                        offers.setdefault("greatest_comeback", []).append(
                            (behind, part, behind, game, row, [game.sheet])
                        )
                    fewest = {"lowest_winning_total": part.points, "quickest_win": game.deals}
                    if game.even and game.target:
                        del fewest["lowest_winning_total"]
                    if not game.target and (game.agreed or game.slug in DEALT_OUT):
                        del fewest["quickest_win"]
                    for name, figure in fewest.items():
                        offers.setdefault(name, []).append(
                            (-figure, part, figure, game, 0, [game.sheet])
                        )
            best = {name: self._earliest_best(some, games) for name, some in offers.items() if some}
            if best:
                found.setdefault(self.keys[kind], {})[length] = best
        return found

    def _won_in_a_row(self, part: Part, until: Game, games: Sequence[Game]) -> list[int]:
        person = self.people[same(part.name)]
        sheets: list[int] = []
        for game in games[: games.index(until) + 1]:
            own = game.part(person, self.people)
            if own is not None and own.place:
                sheets = [*sheets, game.sheet] if own.place == 1 else []
        return sheets

    def _earliest_best(self, offers: Sequence[Any], games: Sequence[Game]) -> dict[str, Any]:
        most = max(offer[0] for offer in offers)
        _, part, figure, game, row, sheets = min(
            (offer for offer in offers if offer[0] == most),
            key=lambda offer: (games.index(offer[3]), offer[4], offer[3].parts.index(offer[1])),
        )
        return {
            "player": self.name(self.people[same(part.name)]),
            "figure": figure,
            "sheet": game.sheet,
            "row": row or None,
            "at": game.at or None,
            "sheets": sheets,
        }

    def table(self, by: str, since: str = "", until: str = "9") -> list[dict[str, Any]]:
        """The season table, with ratings rounded."""
        rows: list[dict[str, Any]] = []
        for person in self.persons:
            every = self.of(person, since, until)
            own = [(game, part) for game, part in every if part.place]
            if person in self.guests or not own:
                continue
            so_far = [part for game, part in self.of(person, until=until) if part.place]
            rating = self.ratings[person, every[-1][0].sheet]
            rows.append(
                {
                    "person": self.name(person),
                    "games": len(own),
                    "wins": sum(part.place == 1 for _, part in own),
                    "average": sum(part.place for _, part in own) / len(own),
                    "points": sum(
                        1 + sum(other.place > part.place for other in game.parts)
                        for game, part in own
                    ),
                    "rating": [round(one, 4) for one in rating] if len(so_far) >= 5 else None,
                    "last": [[part.place, game.sheet] for game, part in own[-5:]],
                }
            )
        sorted_by: dict[str, Callable[[dict[str, Any]], Any]] = {
            "wins": lambda row: -row["wins"],
            "average": lambda row: row["average"],
            "points": lambda row: -row["points"],
            "rating": lambda row: -row["rating"][0] if row["rating"] else 1000,
        }
        rows.sort(key=lambda row: (sorted_by[by](row), -row["wins"], row["average"], -row["games"]))
        return [{**row, "average": round(row["average"], 4)} for row in rows]

    def player(self, person: str, since: str = "", until: str = "9") -> dict[str, Any]:
        """All figures of one person, without the rating."""
        every = self.of(person, since, until)
        own = [(game, part) for game, part in every if part.place]
        places = [part.place for _, part in own]
        won = [game.sheet for game, part in own if part.place == 1]
        by_game: dict[str, dict[str, Any]] = {}
        for game, part in own:
            key = self.keys[same(game.key)]
            of_game = by_game.setdefault(key, {"games": [], "wins": [], "points": 0})
            of_game["games"].append(game.sheet)
            of_game["wins"] += [game.sheet] if part.place == 1 else []
            of_game["points"] += part.points
        streaks: list[list[int]] = [[]]
        for game, part in own:
            streaks.append([*streaks[-1], game.sheet] if part.place == 1 else [])
        deals = [(-points if game.lowest else points, game, row, points)
                 for game, part in every for row, points in part.deals]  # fmt: skip
        feats: dict[str, dict[str, Any]] = {}
        for game, part in every:
            for feat in part.feats:
                told = feats.setdefault(feat, {"times": 0, "sheets": []})
                told["times"] += 1
                told["sheets"] += [] if game.sheet in told["sheets"] else [game.sheet]
        recent = [places[max(0, at - 4) : at + 1] for at in range(len(places))]
        return {
            "player": self.name(person),
            "games": [game.sheet for game, _ in own],
            "wins": won,
            "places": {
                str(place): [game.sheet for game, part in own if part.place == place]
                for place in places
            },
            "average": round(sum(places) / len(places), 4) if places else 0,
            "by_game": by_game,
            "form": [round(sum(some) / len(some), 4) for some in recent],
            "streak": streaks[-1],
            "best_streak": max(streaks, key=len),
            "deals": len(deals),
            "best": self._deal(deals, max),
            "worst": self._deal(deals, min),
            "feats": feats,
            "nemesis": self._nemesis(person, since, until),
            "best_table": self._best_table(person, own),
        }

    def _deal(self, deals: Sequence[Any], best: Callable[..., int]) -> dict[str, Any] | None:
        if not deals:
            return None
        worth = best(deal[0] for deal in deals)
        _, game, row, points = next(deal for deal in deals if deal[0] == worth)
        key = self.keys[same(game.key)]
        return {"game": key, "sheet": game.sheet, "row": row, "points": points}

    def _nemesis(self, person: str, since: str, until: str) -> dict[str, Any] | None:
        found = None
        for game, part in self.of(person, since, until):
            for rival in game.parts if part.seated else ():
                other = self.people[same(rival.name)]
                won, lost, level = self.duel(person, other, since, until)
                games = len(won) + len(lost) + len(level)
                share = (2 * len(won) + len(level)) / (2 * games or 1)
                if other == person or not rival.seated or games < 5 or share >= 1 / 2:
                    continue
                if found is None or (share, -games) < found[0]:
                    told = {"player": self.name(other), "won": won, "lost": lost, "level": level}
                    found = (share, -games), told
        return found[1] if found else None

    def _best_table(self, person: str, own: Sequence[tuple[Game, Part]]) -> dict[str, Any]:
        tables: dict[frozenset[str], list[tuple[Game, Part]]] = {}
        for game, part in own:
            if part.seated:
                others = {self.people[same(one.name)] for one in game.parts if one.seated}
                tables.setdefault(frozenset(others - {person}), []).append((game, part))
        found: dict[str, Any] = {"players": [], "games": [], "wins": []}
        best = (0.0, 0)
        for opponents, games in tables.items():
            wins = [game.sheet for game, part in games if part.place == 1]
            worth = (len(wins) / len(games), len(games))
            if opponents and len(games) >= 3 and 2 * len(wins) >= len(games) and worth > best:
                best = worth
                found = {
                    "players": sorted(self.name(other) for other in opponents),
                    "games": [game.sheet for game, _ in games],
                    "wins": wins,
                }
        return found
