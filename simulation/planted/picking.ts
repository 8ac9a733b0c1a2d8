import type { FilePicks, FilePickSteps, FileToPick } from '#app/questions/file/file-picks.ts';
import type { Plant } from '#simulation/plant.ts';

/** Bugs in reading picked files. */

/** Stores each file whenever its read ends, and lists none meanwhile. */
function storeAsRead<T>({ store }: FilePickSteps<T>): FilePicks<T> {
  return {
    pick: ({ questionId, read }: FileToPick<T>) =>
      void read()
        .then((file) => store(questionId, file, []))
        .catch(() => undefined),
    cancel: () => undefined,
    close: async () => undefined,
    reopen: () => undefined,
    list: () => [],
    subscribe: () => () => undefined,
  };
}

export const storesFilesAsRead: Plant = { createFilePicks: storeAsRead };
