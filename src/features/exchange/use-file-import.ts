import { useRouteContext } from '@tanstack/react-router';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import type { FormatId } from '#interchange/model.ts';
import { findImported } from '#contract/bank.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { PictureUploader } from '#app/questions/form/picture-uploader.ts';
import { isRecording } from '#app/lib/recordings.ts';
import { call } from '#app/api/call.ts';
import { bring } from './bring.ts';
import {
  firstChosen,
  nextPart,
  partsOf,
  roomLeft,
  sourcesIn,
  toggled,
  type ImportPart,
} from './import-plan.ts';
import type { ImportedTest } from './messages.ts';
import { describeExchangeFailure, readInWorker } from './run-exchange.ts';
import { startPictureWorker } from './picture-worker.ts';
import { openSentPictures } from './sent-pictures.ts';

/** Sources of a file's items that the teacher's bank contains; null: the server did not reply. */
async function readBanked(
  { items }: ImportedTest,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const sources = [...new Set(items.map(({ source }) => source))];
  try {
    return new Set((await call(findImported, { body: { sources } }, { signal })).sources);
  } catch {
    return null;
  }
}

export interface PreviewStep {
  readonly kind: 'preview';
  readonly file: File;
  readonly imported: ImportedTest;
  /** Sources of the items that the teacher's bank contains; null: the server did not reply. */
  readonly banked: ReadonlySet<string> | null;
  readonly part: ImportPart;
}

/** The upload of the chosen questions' pictures; `preview` is the step before it. */
interface Carrying {
  readonly preview: PreviewStep;
  readonly done: number;
  readonly of: number;
}

export type ImportStep =
  /** With a file that could not be read, and may be read as another format. */
  | { readonly kind: 'pick'; readonly file: File | null }
  | { readonly kind: 'reading'; readonly name: string; readonly count: number }
  | PreviewStep
  | ({ readonly kind: 'bringing' } & Carrying)
  /** Stopped by the teacher or by a failure; nothing is in the test yet. */
  | ({ readonly kind: 'paused' } & Carrying)
  | {
      readonly kind: 'done';
      readonly count: number;
      readonly lost: readonly string[];
      /** Number of new questions in other parts of the file. */
      readonly left: number;
    };

/** `change` may run again on newer questions: existing ones are not added twice. */
const isNewAmong = (now: readonly Question[]) => {
  const known = new Set(now.map(({ questionId }) => questionId));
  return ({ questionId }: Question) => !known.has(questionId);
};

/** One abortable task at a time; the last one ends with the screen. */
function useAbort() {
  const underway = useRef<AbortController | null>(null);
  useEffect(() => () => underway.current?.abort(), []);
  const abort = () => underway.current?.abort();
  const begin = () => {
    abort();
    underway.current = new AbortController();
    return underway.current.signal;
  };
  return { begin, abort };
}

async function readTest(
  file: File,
  format: FormatId | null,
  signal: AbortSignal,
  onCount: (count: number) => void,
) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const imported = await readInWorker(
    { kind: 'read', file: { name: file.name, bytes }, format },
    signal,
    onCount,
  );
  const banked = await readBanked(imported, signal);
  signal.throwIfAborted();
  return { imported, banked };
}

/** Prepares the pictures in a worker, so that the page responds meanwhile. */
async function bringInWorker(
  imported: ImportedTest,
  chosen: ReadonlySet<number>,
  options: Parameters<typeof bring>[2],
) {
  const { uploader, signal } = options;
  const pictures = startPictureWorker(uploader.prepare);
  signal.addEventListener('abort', pictures.close, { once: true });
  const inWorker = {
    ...uploader,
    prepare: (file: Blob) => (isRecording(file) ? uploader : pictures).prepare(file),
  };
  try {
    return await bring(imported, chosen, { ...options, uploader: inWorker });
  } finally {
    pictures.close();
  }
}

/** Number of new questions in other parts of the file. */
function countLeft(
  imported: ImportedTest,
  known: ReadonlySet<string>,
  chosen: ReadonlySet<number>,
): number {
  if (partsOf(imported).length <= 1) return 0;
  return imported.items.filter(({ source }, index) => !known.has(source) && !chosen.has(index))
    .length;
}

/** What reading a file and importing its questions need of the screen. */
interface ImportScreen {
  readonly draft: DraftEditor;
  readonly present: ReadonlySet<string>;
  readonly begin: () => AbortSignal;
  readonly setStep: (step: ImportStep) => void;
  readonly setProblem: (problem: string | null) => void;
  readonly knownWith: (banked: ReadonlySet<string> | null) => ReadonlySet<string>;
  readonly showPart: (preview: PreviewStep, part: ImportPart) => void;
}

function useReading({ present, begin, setStep, setProblem, knownWith, showPart }: ImportScreen) {
  return async (file: File, format: FormatId | null) => {
    const signal = begin();
    setProblem(null);
    const tell = (count: number) => {
      if (!signal.aborted) setStep({ kind: 'reading', name: file.name, count });
    };
    tell(0);
    try {
      const { imported, banked } = await readTest(file, format, signal, tell);
      const part = nextPart(imported, present, knownWith(banked));
      showPart({ kind: 'preview', file, imported, banked, part }, part);
    } catch (error) {
      if (signal.aborted) return;
      setProblem(describeExchangeFailure(error));
      setStep({ kind: 'pick', file });
    }
  };
}

function useTaking(
  { draft, begin, setStep, setProblem, knownWith }: ImportScreen,
  chosen: ReadonlySet<number>,
) {
  const uploader = useContext(PictureUploader);
  const { app } = useRouteContext({ from: '__root__' });
  const [sent] = useState(() => openSentPictures(app.session.current()?.user.userId ?? ''));
  return async (preview: PreviewStep) => {
    const signal = begin();
    let progress = { done: 0, of: 0 };
    const onProgress = (done: number, of: number) => {
      progress = { done, of };
      setStep({ kind: 'bringing', preview, ...progress });
    };
    setProblem(null);
    try {
      const { imported, banked } = preview;
      const options = { uploader, sent, onProgress, signal };
      const { questions, lost } = await bringInWorker(imported, chosen, options);
      draft.change(`импорт: ${formatCount(questions.length, QUESTIONS)}`, (now) => [
        ...now,
        ...questions.filter(isNewAmong(now)),
      ]);
      const left = countLeft(imported, knownWith(banked), chosen);
      setStep({ kind: 'done', count: questions.length, lost, left });
    } catch (error) {
      if (signal.aborted) return;
      setProblem(describeExchangeFailure(error));
      setStep({ kind: 'paused', preview, ...progress });
    }
  };
}

/** The import of a file into a test, from the picked file to its questions in the working copy. */
export function useFileImport(draft: DraftEditor) {
  const [step, setStep] = useState<ImportStep>({ kind: 'pick', file: null });
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const { begin, abort } = useAbort();
  const room = roomLeft(draft.questions);
  const present = useMemo(() => sourcesIn(draft.questions), [draft.questions]);

  const reset = () => {
    abort();
    setStep({ kind: 'pick', file: null });
    setProblem(null);
  };

  const knownWith = (banked: ReadonlySet<string> | null) =>
    new Set([...present, ...(banked ?? [])]);

  const showPart = (preview: PreviewStep, part: ImportPart) => {
    setChosen(firstChosen(preview.imported, part, knownWith(preview.banked), room));
    setStep({ ...preview, part });
  };

  const io = { draft, present, begin, setStep, setProblem, knownWith, showPart };

  /** Stops the uploads. The pictures that are on the server stay known. */
  const pause = (carrying: Carrying) => {
    abort();
    setStep({ ...carrying, kind: 'paused' });
  };

  const backTo = (preview: PreviewStep) => {
    setProblem(null);
    setStep(preview);
  };

  const toggle = useCallback((index: number) => setChosen((now) => toggled(now, index)), []);

  const chooseAlso = (more: readonly number[]) => setChosen((now) => new Set([...now, ...more]));

  return {
    step,
    chosen,
    room,
    present,
    problem,
    setProblem,
    knownWith,
    reset,
    read: useReading(io),
    showPart,
    take: useTaking(io, chosen),
    pause,
    backTo,
    toggle,
    chooseAlso,
  };
}

export type ImportState = ReturnType<typeof useFileImport>;
