// The control pane on the real feed of the town in the current folder.
import { openTown } from '../../../src/town/context.ts';
import { openFeed } from '../../../src/town/feed.ts';
import { preloadControlPane, startControlPane } from '../../../src/tui/start.tsx';
import { recordActions } from '../../tui/support/fake-town.ts';

preloadControlPane(process.env);
const feed = await openFeed(await openTown({ cwd: process.cwd(), env: process.env }));
process.exitCode = await startControlPane({
  feed,
  actions: recordActions(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  onExit: () => feed.close(),
});
process.exit();
