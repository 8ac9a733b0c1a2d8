import { Button, Stack, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bringAnswers, bringFile } from '#contract/rescue.ts';
import { fromBase64 } from '#domain/base64url.ts';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { describeFailure, isNotFound } from '#app/lib/failure-messages.ts';
import { PickButton } from '#app/ui/forms/PickButton.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import {
  bringAll,
  formatHandover,
  type GivenHandover,
  hasReceipts,
  readHandover,
  WAIT,
} from './handover.ts';
import { renewMarks } from './queries.ts';
import { SaveReceipts, type SaveReceiptsProps } from './SaveReceipts.tsx';
import { NO_ANSWERS_FILE, portions, readRescued, RescueProblem, type Rescued } from './rescued.ts';

/** Hundreds of photos; browsers cannot hold a much longer text. */
const MAX_FILE_BYTES = 400 * 1024 * 1024;
/** Enough for ten megabytes over a school's network. */
const FILE_MS = 60_000;

interface ImportSummary {
  userName: string;
  /** Names of files that the server refused. */
  refused: string[];
  held: number;
  known: number;
  wrong: number;
  /** Answers whose attempts the server does not have. */
  missing: number;
}

const FILE_REFUSALS: readonly unknown[] = ['FILE_REFUSED', 'TOO_MANY_FILES', 'CHECKSUM_MISMATCH'];

/** Whether only this file is at fault: the server refuses it, or its text is no base64. */
const isFileRefused = (error: unknown): boolean =>
  error instanceof ApiFailure
    ? FILE_REFUSALS.includes(error.code)
    : error instanceof Error && error.name === 'InvalidCharacterError';

/** Throws `ApiFailure`. */
async function importAttempt(
  testId: string,
  owner: string,
  { attemptId, answers, files }: Rescued['attempts'][number],
  summary: ImportSummary,
): Promise<void> {
  for (const part of portions(answers)) {
    const { userName, results } = await call(bringAnswers, {
      params: { id: testId, attemptId },
      body: { owner, answers: part },
    });
    summary.userName = userName;
    for (const { outcome } of results) summary[outcome] += 1;
  }
  for (const { fileId, base64, questionId, name, mimeType, sha256 } of files) {
    if (base64 === null) continue;
    const query = { owner, questionId, name, mimeType, sha256 };
    try {
      const bytes = fromBase64(base64);
      const at = { params: { id: testId, attemptId, fileId }, query, bytes };
      await call(bringFile, at, { timeoutMs: FILE_MS });
    } catch (error) {
      if (!isFileRefused(error)) throw error;
      summary.refused.push(name);
    }
  }
}

/** An attempt that the server does not have stops no other. Throws `ApiFailure`, also when it has none of them. */
async function importAnswers(testId: string, { owner, attempts }: Rescued): Promise<ImportSummary> {
  const summary: ImportSummary = {
    userName: '',
    refused: [],
    held: 0,
    known: 0,
    wrong: 0,
    missing: 0,
  };
  let notFound = 0;
  for (const attempt of attempts)
    try {
      await importAttempt(testId, owner, attempt, summary);
    } catch (error) {
      notFound += 1;
      if (!isNotFound(error) || notFound === attempts.length) throw error;
      summary.missing += attempt.answers.length;
    }
  return summary;
}

function formatSummary({ userName, refused, held, known, wrong, missing }: ImportSummary): string {
  const parts = [
    held > 0 && `${plural(held, WAIT)} вашего решения под «Поздние»: ${formatCount(held, ANSWERS)}`,
    known > 0 && `уже на сервере: ${formatCount(known, ANSWERS)}`,
    wrong > 0 &&
      `не ${plural(wrong, ['подходит', 'подходят', 'подходят'])} к вопросам этой попытки: ${formatCount(wrong, ANSWERS)}`,
    missing > 0 && `нет на сервере попытки, чтобы загрузить: ${formatCount(missing, ANSWERS)}`,
  ].filter((part) => part !== false);
  const files = refused.length > 0 ? ` Файлы не приняты: ${refused.join(', ')}.` : '';
  return `${userName}: ${parts.join('; ')}.${files}`;
}

const describeImportFailure = (error: unknown) => {
  if (error instanceof RescueProblem) return error.message;
  if (isNotFound(error))
    return 'Попытки, о которой говорит файл, на сервере нет. Её начало ещё не дошло, или её удалили.';
  return describeFailure(error);
};

function PlainNote({ found }: { found: Rescued }) {
  return (
    <>
      <p>В файле {formatCount(found.count, ANSWERS)} на этот тест.</p>
      <p>
        Файл не зашифрован, поэтому загруженные ответы не засчитаются сами: они появятся под
        «Поздние», и решите вы.
      </p>
      {found.elsewhere > 0 && (
        <Text size="sm" c="dimmed">
          Ещё {formatCount(found.elsewhere, ANSWERS)} на другие тесты: загрузите этот же файл там.
        </Text>
      )}
      {found.misfits > 0 && (
        <Text size="sm" c="dimmed">
          {formatCount(found.misfits, ANSWERS)}{' '}
          {plural(found.misfits, ['не подходит', 'не подходят', 'не подходят'])} ни к какому вопросу
          и {plural(found.misfits, ['не загрузится', 'не загрузятся', 'не загрузятся'])}.
        </Text>
      )}
      {found.lost.length > 0 && (
        <Text size="sm" c="dimmed">
          Без содержимого, на устройстве его уже не было: {found.lost.join(', ')}.
        </Text>
      )}
    </>
  );
}

function FoundNote({ found, partsDone }: { found: Found; partsDone: number }) {
  if ('plain' in found) {
    return (
      <div role="status">
        <PlainNote found={found.plain} />
      </div>
    );
  }
  const parts = found.encrypted.parts.length;
  return (
    <div role="status">
      <p>
        Файл зашифрован, прочитать его может только сервер вашей школы. Загрузятся все ответы из
        него, и на другие тесты тоже.
      </p>
      {partsDone > 0 && partsDone < parts && (
        <p>
          Загружено частей: {partsDone} из {parts}
        </p>
      )}
    </div>
  );
}

export interface RescueModalProps {
  testId: string;
  opened: boolean;
  onClose: () => void;
}

/** A file that was read: an encrypted one, or a plain one. */
type Found = { readonly encrypted: GivenHandover } | { readonly plain: Rescued };

function readFound(text: string, testId: string): Found {
  const encrypted = readHandover(text);
  return encrypted ? { encrypted } : { plain: readRescued(text, testId) };
}

interface Sent {
  readonly words: string;
  /** Whether nothing is left for a repeat. */
  readonly isWhole: boolean;
  /** Null: the device learns nothing from it. */
  readonly confirmation: SaveReceiptsProps | null;
}

async function sendEncrypted(given: GivenHandover, onPart: (done: number) => void): Promise<Sent> {
  const { summary, receipts } = await bringAll(given, onPart);
  const { userName, unmade } = summary;
  return {
    words: formatHandover(summary),
    isWhole: unmade === 0,
    confirmation: hasReceipts(summary) ? { userName, receipts } : null,
  };
}

async function sendFound(
  testId: string,
  found: Found,
  onPart: (done: number) => void,
): Promise<Sent> {
  if ('encrypted' in found) return sendEncrypted(found.encrypted, onPart);
  const words = formatSummary(await importAnswers(testId, found.plain));
  return { words, isWhole: true, confirmation: null };
}

/**
 * Imports a file of answers that a student's device could not send. Those of an encrypted one count by themselves; those
 * of a plain one are held for the teacher.
 */
export function RescueModal({ testId, opened, onClose }: RescueModalProps) {
  const client = useQueryClient();
  const [found, setFound] = useState<Found | null>(null);
  const [partsDone, setPartsDone] = useState(0);
  const read = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > MAX_FILE_BYTES) throw new RescueProblem(NO_ANSWERS_FILE);
      return readFound(await file.text(), testId);
    },
    onSuccess: setFound,
  });
  const send = useMutation({
    mutationFn: (of: Found) => sendFound(testId, of, setPartsDone),
    onMutate: () => setPartsDone(0),
    onSettled: () => renewMarks(client),
  });
  const close = () => {
    if (send.isPending) return;
    setFound(null);
    read.reset();
    send.reset();
    onClose();
  };
  const problem = read.error ?? send.error;
  const isEmpty = found !== null && 'plain' in found && found.plain.count === 0;
  const isDone = send.data?.isWhole === true;
  const canSend = found !== null && !isEmpty && !isDone;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Ответы из файла"
      footer={
        isDone ? (
          <Button onClick={close}>Готово</Button>
        ) : (
          <>
            <Button variant="default" onClick={close} disabled={send.isPending}>
              Не сейчас
            </Button>
            {canSend && (
              <Button loading={send.isPending} onClick={() => send.mutate(found)}>
                {send.isSuccess ? 'Повторить' : 'Загрузить'}
              </Button>
            )}
          </>
        )
      }
    >
      <Stack align="flex-start">
        <p>
          Если устройство ученика не может отправить ответы, он сохраняет их в файл с названием
          «Ответы, …». Обычно он зашифрован: подделать его нельзя, и ответы засчитываются так же,
          как присланные по сети.
        </p>
        {!send.isSuccess && (
          <PickButton
            autoFocused
            variant={canSend ? 'default' : 'filled'}
            disabled={send.isPending}
            icon={IconFileImport}
            label="Файл с ответами"
            accept="application/json,.json,text/plain,.txt"
            onFiles={([file]) => {
              setFound(null);
              send.reset();
              read.mutate(file);
            }}
          >
            {found ? 'Выбрать другой файл' : 'Выбрать файл'}
          </PickButton>
        )}
        {found && !send.isSuccess && <FoundNote found={found} partsDone={partsDone} />}
        {send.isSuccess && <p role="status">{send.data.words}</p>}
        {send.data?.confirmation && <SaveReceipts {...send.data.confirmation} />}
        <div role="alert">
          {problem && <FieldError>{describeImportFailure(problem)}</FieldError>}
        </div>
      </Stack>
    </Modal>
  );
}
