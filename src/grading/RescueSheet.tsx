import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { bringAnswers, bringFile } from '#contract/rescue.ts';
import { ANSWERS, formatCount } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { failureWords, isNotFound } from '#app/offline/failure-words.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './grading.module.css';
import { renewMarks } from './queries.ts';
import { portions, readRescued, RescueProblem, type Rescued } from './rescued.ts';

/** Ten megabytes over a school's network. */
const FILE_MS = 60_000;

interface Brought {
  userName: string;
  held: number;
  known: number;
  wrong: number;
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

async function bring(testId: string, { owner, attempts }: Rescued): Promise<Brought> {
  const brought: Brought = { userName: '', held: 0, known: 0, wrong: 0 };
  for (const { attemptId, answers, files } of attempts) {
    for (const part of portions(answers)) {
      const { userName, results } = await call(bringAnswers, {
        params: { id: testId, attemptId },
        body: { owner, answers: part },
      });
      brought.userName = userName;
      for (const { outcome } of results) brought[outcome] += 1;
    }
    for (const { fileId, base64, questionId, name, mimeType, sha256 } of files) {
      if (base64 === null) continue;
      const query = { owner, questionId, name, mimeType, sha256 };
      const at = { params: { id: testId, attemptId, fileId }, query, bytes: bytesOf(base64) };
      await call(bringFile, at, { timeoutMs: FILE_MS });
    }
  }
  return brought;
}

function broughtWords({ userName, held, known, wrong }: Brought): string {
  const parts = [
    held > 0 && `ждут вашего решения под «Поздние»: ${formatCount(held, ANSWERS)}`,
    known > 0 && `уже на сервере: ${formatCount(known, ANSWERS)}`,
    wrong > 0 && `не подходят к вопросам этой попытки: ${formatCount(wrong, ANSWERS)}`,
  ].filter((part) => part !== false);
  return `${userName}: ${parts.join('; ')}.`;
}

const words = (error: unknown) => {
  if (error instanceof RescueProblem) return error.message;
  if (isNotFound(error))
    return 'Попытки, о которой говорит файл, на сервере нет. Возможно, её удалили.';
  return failureWords(error);
};

function Found({ found }: { found: Rescued }) {
  return (
    <div role="status">
      <p>В файле {formatCount(found.count, ANSWERS)} на этот тест.</p>
      {found.elsewhere > 0 && (
        <p className={classes.dimmed}>
          Ещё {formatCount(found.elsewhere, ANSWERS)} на другие тесты: загрузите этот же файл там.
        </p>
      )}
      {found.lost.length > 0 && (
        <p className={classes.dimmed}>
          Без содержимого, на устройстве его уже не было: {found.lost.join(', ')}.
        </p>
      )}
    </div>
  );
}

export interface RescueSheetProps {
  testId: string;
  opened: boolean;
  onClose: () => void;
}

/** Brings in the file that a pupil's device saved when it could not send: the teacher decides on it then. */
export function RescueSheet({ testId, opened, onClose }: RescueSheetProps) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<Rescued | null>(null);
  const read = useMutation({
    mutationFn: async (file: File) => readRescued(await file.text(), testId),
    onSuccess: setFound,
  });
  const send = useMutation({
    mutationFn: (of: Rescued) => bring(testId, of),
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
  const canSend = found !== null && found.count > 0 && !send.isSuccess;
  return (
    <Sheet
      opened={opened}
      onClose={close}
      title="Ответы из файла"
      footer={
        send.isSuccess ? (
          <Button onClick={close}>Готово</Button>
        ) : (
          <>
            <Button variant="default" onClick={close} disabled={send.isPending}>
              Не сейчас
            </Button>
            {canSend && (
              <Button loading={send.isPending} onClick={() => send.mutate(found)}>
                Загрузить
              </Button>
            )}
          </>
        )
      }
    >
      <div className={classes.rescued}>
        <p>
          Если устройство ученика не может отправить ответы, приложение сохраняет их в файл
          otvety.json. Загруженные ответы не засчитаются сами: они появятся под «Поздние», и решите
          вы.
        </p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Файл с ответами"
          accept="application/json,.json"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            setFound(null);
            if (file) read.mutate(file);
          }}
        />
        {!send.isSuccess && (
          <Button
            data-autofocus
            variant={canSend ? 'default' : 'filled'}
            disabled={send.isPending}
            leftSection={<IconFileImport size={20} stroke={1.75} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {found ? 'Выбрать другой файл' : 'Выбрать файл'}
          </Button>
        )}
        {found && !send.isSuccess && <Found found={found} />}
        {send.isSuccess && <p role="status">{broughtWords(send.data)}</p>}
        <div role="alert">{problem && <FieldError>{words(problem)}</FieldError>}</div>
      </div>
    </Sheet>
  );
}
