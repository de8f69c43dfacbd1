/** `watch-and-close <stateDir>`: watches, sees one change, closes; nothing may keep the process alive then. */
import { openStore } from '../../../src/store/store.ts';
import { watchState } from '../../../src/store/watch.ts';
import { watchedFolders } from '../../../src/store/watched-folders.ts';

const store = openStore(process.argv[2] ?? '');
store.heartbeat.touch('a', 'tool', 'one');
await new Promise<void>((seen) => {
  const watched = watchState(
    () => watchedFolders(store.paths),
    () => void watched.close().then(seen),
  );
  store.heartbeat.touch('a', 'tool', 'two');
});
console.log('closed');
