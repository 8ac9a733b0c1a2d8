import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, type Forms } from '#domain/format.ts';
import { languageOf } from '#domain/languages.ts';
import { MAX_PAPER_VARIANTS } from '#interchange/limits.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { newId } from '#app/lib/new-id.ts';
import { decodePicture, type Paint } from '#app/lib/pictures/decode-picture.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { Losses } from './Losses.tsx';
import { fetchPictures, forWord } from './fetch-pictures.ts';
import type { ExportedFile, PaperRequest } from './messages.ts';
import { drawAreas, withDrawnAreas } from './paper-areas.ts';
import { describeExchangeFailure, saveExported, writeInWorker } from './run-exchange.ts';

const VARIANTS: Forms = ['вариант', 'варианта', 'вариантов'];
const CHOICES = Array.from({ length: MAX_PAPER_VARIANTS }, (_, index) => ({
  value: String(index + 1),
  label: formatCount(index + 1, VARIANTS),
}));

type Part = PaperRequest['part'];

export interface PaperModalProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly draft: DraftEditor;
}

async function writePaper(
  request: Omit<PaperRequest, 'questions' | 'pictures'>,
  questions: DraftEditor['questions'],
  say: (message: string) => void,
): Promise<ExportedFile> {
  const shown = withDrawnAreas(questions, newId);
  const onPaper = (picture: Blob, key: string) => {
    const areas = shown.drawn.get(key)?.areas;
    if (!areas) return forWord(picture);
    const paint: Paint = (context, size) => drawAreas(context, size, areas);
    return forWord(picture, (file) => decodePicture(file, paint), true);
  };
  const sourceOf = (key: string) => shown.drawn.get(key)?.source ?? key;
  return writeInWorker({
    ...request,
    questions: shown.questions,
    // The key lists letters and shows no pictures.
    pictures:
      request.part === 'key'
        ? new Map()
        : await fetchPictures(shown.questions, onPaper, say, sourceOf),
  });
}

/** «Для печати»: the test as Word documents, the sheets of all variants and the key to them. */
export function PaperModal({ opened, onClose, draft: { testId, questions } }: PaperModalProps) {
  const { data: settings } = useQuery(settingsQuery(testId));
  const title = settings?.name ?? 'Тест';
  const language = settings ? languageOf(settings) : 'ru';
  const [variants, setVariants] = useState('1');
  const [isShuffled, setShuffled] = useState(false);
  const [making, setMaking] = useState<{ part: Part; message: string } | null>(null);
  const [made, setMade] = useState<ExportedFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const make = async (part: Part) => {
    const say = (message: string) => setMaking({ part, message });
    setProblem(null);
    setMade(null);
    say('Готовим файл');
    try {
      const exported = await writePaper(
        { kind: 'paper', title, language, variants: Number(variants), isShuffled, part },
        questions,
        say,
      );
      saveExported(exported);
      setMade(exported);
    } catch (error) {
      setProblem(describeExchangeFailure(error));
    } finally {
      setMaking(null);
    }
  };

  const button = (part: Part, label: string, variant: 'filled' | 'default') => (
    <Button
      variant={variant}
      loading={making?.part === part}
      disabled={making !== null}
      onClick={() => void make(part)}
    >
      {label}
    </Button>
  );

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Тест для печати"
      footer={
        <Group className="wide-on-phones">
          {button('sheets', 'Скачать задания', 'filled')}
          {button('key', 'Скачать ключи', 'default')}
        </Group>
      }
    >
      <Stack>
        <Text>
          Документы Word для листов А4: их можно поправить перед печатью. Ключи подходят к заданиям
          с теми же настройками, пока вопросы не изменились.
        </Text>
        <SelectField
          native
          label="Сколько вариантов"
          choices={CHOICES}
          value={variants}
          onChange={setVariants}
        />
        <SwitchField
          label="Перемешать вопросы"
          description="В каждом варианте свой порядок. Варианты ответа перемешиваются там, где это включено у вопроса."
          value={isShuffled}
          onChange={setShuffled}
        />
        {problem !== null && (
          <InlineNote tone="bad" role="status">
            {problem}
          </InlineNote>
        )}
        <div role="status">
          {making?.message}
          {made && `Файл «${made.fileName}» сохранён.`}
        </div>
        {made && made.losses.length > 0 && (
          <div>
            <Text inherit fw={600}>
              На листах будет не всё:
            </Text>
            <Losses of={made.losses} />
          </div>
        )}
      </Stack>
    </Modal>
  );
}
