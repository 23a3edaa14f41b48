// What every page needs, sent as one file (referee/web/answers/modules.py). The scripts that only
// some pages need are named by them: see phone/fetch-scripts.js.

import "./forms/advance.js";
import "./forms/clear-faults.js";
import "./forms/unfolded.js";
import "./phone/awake.js";
import "./phone/drafts.js";
import "./phone/fetch-scripts.js";
import "./phone/offline.js";
import "./phone/outbox.js";
import "./phone/spoken.js";
import "./sheet/chart.js";
import "./sheet/drawer.js";
import "./sheet/live.js";
import "./sheet/pad.js";
