import { Button, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { saveBankEntry } from '#contract/bank.ts';
import { SUBJECT_CHOICES } from '#domain/choices.ts';
import { formatUses } from '#domain/labels-bank.ts';
import { questionProblems } from '#domain/publishing.ts';
import { call } from '#app/api/call.ts';
import { useLatest } from '#app/lib/use-latest.ts';
import { QuestionForm } from '#app/questions/form/QuestionForm.tsx';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { themeOf, type EntryEdit } from './edited-entry.ts';

const THEMES = [{ value: '', label: 'Не указан' }, ...SUBJECT_CHOICES];

export interface EditEntryModalProps {
  edited: EntryEdit;
  /** Unsaved edits; null: none. */
  onTyped: (unsaved: EntryEdit | null) => void;
  /** Reports unsaved edits; null: none. */
  onClose: (unsaved: EntryEdit | null) => void;
  /** The saved question, possibly after the modal was closed, and edits made since; null: none. */
  onSaved: (saved: EntryEdit, rest: EntryEdit | null) => void;
}

/** Edits a bank question; copies in tests are unaffected. Closing before saving loses nothing. */
export function EditEntryModal({ edited, onTyped, onClose, onSaved }: EditEntryModalProps) {
  const [entry, setEntry] = useState(edited.entry);
  const [question, setQuestion] = useState(edited.question);
  const [theme, setTheme] = useState(edited.theme);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [isSavedBefore, setSavedBefore] = useState(false);
  const latest = useLatest({ question, theme });
  const shown = useMemo(() => [question], [question]);
  const isChanged = question !== entry.question || theme !== entry.theme;
  useEffect(() => {
    onTyped(isChanged ? { entry, question, theme } : null);
    return () => onTyped(null);
  }, [isChanged, entry, question, theme, onTyped]);
  const isBlank = question.text.trim() === '';
  const save = async () => {
    if (isBlank) {
      setProblem('Введите текст вопроса');
      return;
    }
    setBusy(true);
    setProblem('');
    setSavedBefore(false);
    try {
      await call(saveBankEntry, {
        params: { entryId: entry.entryId },
        body: { question, theme: themeOf(theme) },
      });
      const stored = { ...entry, question, theme };
      const now = latest.current;
      const isAll = now.question === question && now.theme === theme;
      setEntry(stored);
      setSavedBefore(true);
      onSaved({ entry: stored, question, theme }, isAll ? null : { entry: stored, ...now });
    } catch (error) {
      setProblem(`Правки не сохранены. ${describeFailure(error)}`);
    }
    setBusy(false);
  };
  return (
    <Modal
      opened
      onClose={() => onClose(isChanged ? { entry, question, theme } : null)}
      title="Вопрос в банке"
      size="lg"
      footer={
        <>
          <div role="alert">{problem !== '' && <FieldError>{problem}</FieldError>}</div>
          <Button loading={isBusy} onClick={() => void save()}>
            Сохранить в банке
          </Button>
        </>
      }
    >
      <Stack>
        {isSavedBefore && isChanged && (
          <InlineNote icon={IconPencil} role="status">
            Вопрос сохранён, а то, что вы написали после, ещё не сохранено.
          </InlineNote>
        )}
        {entry.usesCount > 0 && (
          <InlineNote>
            Вопрос уже {formatUses(entry.usesCount)}: там он останется прежним, правки будут только
            в банке.
          </InlineNote>
        )}
        <QuestionPictures of={shown}>
          <QuestionForm
            number={null}
            question={question}
            problems={questionProblems(question)}
            onChange={setQuestion}
          />
        </QuestionPictures>
        <SelectField native label="Предмет" choices={THEMES} value={theme} onChange={setTheme} />
      </Stack>
    </Modal>
  );
}
