"""A laptop dies with its disk: the last backup on another disk restores nearly everything."""

import json
import shutil
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner

from referee.cli import main
from referee.ledger.backup import BackupFolder
from referee.ledger.store import Ledger
from tests.reliability.writers import Writers
from tests.support.campaign import usual_or_nightly
from tests.support.server import Server

TIMES, SECONDS = usual_or_nightly((1, 2), (20, 10))


def test_a_lost_disk_loses_only_entries_since_the_last_backup(tmp_path: Path) -> None:
    """Eight writers, a backup every few seconds; then a kill, and the folder is erased."""
    lost = list[tuple[int, float]]()
    for number in range(TIMES):
        home, other_disk = tmp_path / f"home-{number}", tmp_path / f"other-{number}"
        home.mkdir()
        (home / "referee.toml").write_text(f"backup_folder = {json.dumps(str(other_disk))}\n")
        server = Server(home, "--backup-every", f"{SECONDS}s", "--backup-keep", "3", "--name", "")
        with closing(Ledger(home / "referee.sqlite")) as ledger:
            writers = Writers(ledger, [server])
            folder = BackupFolder(other_disk, home / "referee.sqlite")
            began, begun = datetime.now(UTC), time.monotonic()
            give_up = time.monotonic() + 60
            while sum(one.proved and one.at > began for one in folder.kept()) < 2:
                assert time.monotonic() < give_up
                time.sleep(0.05)
            server.kill()
            writers.end(answered=False)
        shutil.rmtree(home)
        newest = [one for one in folder.kept() if one.proved][-1]
        restored = CliRunner().invoke(main, ["restore", str(newest.path), "--instance", str(home)])
        assert restored.exit_code == 0, restored.output
        with closing(Ledger(home / "referee.sqlite")) as ledger:
            there = {row.key for sheet in writers.acknowledged for row in ledger.rows(sheet)}
        acknowledged = [item for keys in writers.acknowledged.values() for item in keys.items()]
        times = [at for key, at in acknowledged if key not in there]
        made = begun + (newest.at - began).total_seconds()
        lost.append((len(times), min(times, default=made) - made))
    print(f"entries lost, and seconds of the first after the last backup: {lost}")
    assert all(after >= 0 for _, after in lost)
