import { Box, Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { ShareBar } from '#app/ui/data/ShareBar.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { Losses } from './Losses.tsx';
import { chosenCount } from './import-plan.ts';
import { FormatSelect, PickFile } from './PickFile.tsx';
import { ReviewFile } from './ReviewFile.tsx';
import { describeExchangeFailure, saveExported, writeInWorker } from './run-exchange.ts';
import { useFileImport, type ImportState, type ImportStep } from './use-file-import.ts';

export interface ImportModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly draft: DraftEditor;
}

/** The pressed button disappears with its step, so the first button of the next step gets the focus. */
function Foot({ children }: { children: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body)
      foot.current?.querySelector('button')?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack ref={foot} gap="xs">
      {children}
    </Stack>
  );
}

/** The buttons of each step; the first one continues. */
function StepButtons({
  state,
  count,
  onClose,
}: {
  state: ImportState;
  count: number;
  onClose: () => void;
}) {
  const { step, chosen, room } = state;
  switch (step.kind) {
    case 'pick':
      return null;
    case 'reading':
      return (
        <Button variant="default" onClick={state.reset}>
          Отмена
        </Button>
      );
    case 'preview':
      return (
        <>
          <Button
            data-autofocus
            onClick={() => {
              if (chosen.size > 0 && count <= room) void state.take(step);
            }}
          >
            Добавить {formatCount(count, QUESTIONS)}
          </Button>
          <Button variant="default" onClick={state.reset}>
            Другой файл
          </Button>
        </>
      );
    case 'bringing':
      return (
        <Button variant="default" onClick={() => state.pause(step)}>
          Остановить
        </Button>
      );
    case 'paused':
      return (
        <>
          <Button data-autofocus onClick={() => void state.take(step.preview)}>
            Продолжить
          </Button>
          <Button variant="default" onClick={() => state.backTo(step.preview)}>
            К списку вопросов
          </Button>
        </>
      );
    case 'done':
      return (
        <Button data-autofocus onClick={onClose}>
          К вопросам
        </Button>
      );
  }
}

function Progress({ done, of }: { done: number; of: number }) {
  return (
    <div>
      <p role="status">Переносим вопросы</p>
      {of > 0 && (
        <>
          <Text c="dimmed" className="tabular">
            Картинка {Math.min(done + 1, of)} из {of}
          </Text>
          <Box
            mt="xs"
            lh={0}
            role="progressbar"
            aria-label="Переданные картинки"
            aria-valuemin={0}
            aria-valuemax={of}
            aria-valuenow={done}
          >
            <ShareBar share={done / of} width="100%" />
          </Box>
        </>
      )}
    </div>
  );
}

function DoneReport({ step }: { step: Extract<ImportStep, { kind: 'done' }> }) {
  return (
    <div role="status">
      <Text inherit fw={600}>
        Добавлено: {formatCount(step.count, QUESTIONS)}
      </Text>
      {step.left > 0 && (
        <Text c="dimmed">
          Осталось в файле: {formatCount(step.left, QUESTIONS)}. Откройте его в другом тесте:
          следующая часть будет отмечена сама.
        </Text>
      )}
      {step.lost.length > 0 && (
        <>
          <p>Рисунки, которые не перенеслись:</p>
          <Losses of={step.lost} />
        </>
      )}
    </div>
  );
}

/** «Импорт»: previews a file of another system, then imports it. */
export function ImportModal({ opened, onClose, draft }: ImportModalProps) {
  const state = useFileImport(draft);
  const { step, problem } = state;

  const close = () => {
    // Closing before the end imports nothing.
    state.reset();
    onClose();
  };

  const sample = async () => {
    try {
      saveExported(await writeInWorker({ kind: 'sample' }));
    } catch (error) {
      state.setProblem(describeExchangeFailure(error));
    }
  };

  const count = step.kind === 'preview' ? chosenCount(step.imported, state.chosen) : 0;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Импорт вопросов"
      size="lg"
      footer={
        step.kind !== 'pick' && (
          <Foot key={step.kind}>
            <StepButtons state={state} count={count} onClose={close} />
          </Foot>
        )
      }
    >
      <Stack>
        {problem !== null && (
          <InlineNote tone="bad" role="status">
            {problem}
          </InlineNote>
        )}
        {step.kind === 'pick' && step.file !== null && (
          <FormatSelect
            value={null}
            onChange={(format) => {
              if (step.file) void state.read(step.file, format);
            }}
          />
        )}
        {step.kind === 'pick' && (
          <PickFile onFile={(file) => void state.read(file, null)} onSample={() => void sample()} />
        )}
        {step.kind === 'reading' && (
          <div>
            <p role="status">Читаем файл «{step.name}»</p>
            {step.count > 0 && (
              <Text c="dimmed">Прочитано {formatCount(step.count, QUESTIONS)}</Text>
            )}
          </div>
        )}
        {step.kind === 'preview' && (
          <ReviewFile testId={draft.testId} preview={step} count={count} state={state} />
        )}
        {step.kind === 'bringing' && <Progress done={step.done} of={step.of} />}
        {step.kind === 'paused' && (
          <div role="status">
            <Text inherit fw={600}>
              Готово картинок: {step.done} из {step.of}
            </Text>
            <Text c="dimmed">
              Отправленные второй раз не уйдут. В тест пока ничего не добавлено: продолжите, когда
              сможете.
            </Text>
          </div>
        )}
        {step.kind === 'done' && <DoneReport step={step} />}
      </Stack>
    </Modal>
  );
}
