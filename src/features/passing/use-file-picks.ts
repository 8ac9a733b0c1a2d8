import { useSyncExternalStore } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import type { PlaceFile } from '#app/outbox/change-files.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { FileStore } from '#app/questions/answer-field.ts';
import { createFilePicks, type FilePick, type FilePicks } from '#app/questions/file/file-picks.ts';
import type { PreparedFile } from '#app/questions/file/read-picked-file.ts';
import { writeProblem } from './write-problem.ts';

export type AttemptFiles = FilePicks<PreparedFile> & FileStore;

/** Reads continue while the student is elsewhere in the app, so they belong to no screen. */
const filesOf = new WeakMap<Outbox, Map<string, AttemptFiles>>();

function createAttemptFiles(outbox: Outbox, attemptId: string): AttemptFiles {
  const notes = new Map<string, string>();
  const picks = createFilePicks<PreparedFile>({
    store: async (questionId, { note, isAdded, ...file }, later) => {
      const place: PlaceFile = (files, added) => {
        const at = files.findIndex((one) => later.includes(one.fileId));
        return at < 0 ? [...files, added] : [...files.slice(0, at), added, ...files.slice(at)];
      };
      const { fileId } = await outbox.addFile(
        attemptId,
        questionId,
        file,
        isAdded ? place : undefined,
      );
      if (note !== null) notes.set(fileId, note);
      return fileId;
    },
    explain: (cause) =>
      writeProblem(cause, 'Файл не удалось записать. Не уходите с вопроса и выберите его ещё раз.'),
  });
  return {
    ...picks,
    noteOf: (fileId) => notes.get(fileId) ?? null,
    bytesOf: (fileId) => outbox.fileBytes(fileId),
  };
}

/** The files that the student picked in an attempt, and the picks that are not stored yet. */
export function useAttemptFiles(attemptId: string): [AttemptFiles, readonly FilePick[]] {
  const { outbox } = useDevice();
  const all = filesOf.get(outbox) ?? new Map<string, AttemptFiles>();
  filesOf.set(outbox, all);
  const files = all.get(attemptId) ?? createAttemptFiles(outbox, attemptId);
  all.set(attemptId, files);
  return [files, useSyncExternalStore(files.subscribe, files.list)];
}
