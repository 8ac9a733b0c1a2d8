import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { saveBankEntry, type BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { usesWords } from '#domain/labels-bank.ts';
import { questionProblems } from '#domain/publishing.ts';
import { call } from '#app/api/call.ts';
import { SUBJECTS } from '#app/authoring/created-filters.ts';
import { LeaveGuard } from '#app/ui/LeaveGuard.tsx';
import { QuestionForm } from '#app/authoring/question/QuestionForm.tsx';
import { failureWords } from '#app/offline/failure-words.ts';
import { usePictures } from '#app/offline/use-pictures.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Bank.module.css';
import { themeOf } from './theme-of.ts';

const THEMES = [{ value: '', label: 'Не указан' }, ...SUBJECTS];

/** A question of the bank with what was typed and is not saved yet. */
export interface Edited {
  readonly entry: BankEntry;
  readonly question: Question;
  readonly theme: string;
}

export interface EditEntrySheetProps {
  edited: Edited;
  /** Gives back what is not saved; null: nothing. */
  onClose: (unsaved: Edited | null) => void;
  onSaved: () => void;
}

/** Changes a question of the bank; tests keep theirs. Closed before saving, it loses nothing. */
export function EditEntrySheet({ edited, onClose, onSaved }: EditEntrySheetProps) {
  const { entry } = edited;
  const [question, setQuestion] = useState(edited.question);
  const [theme, setTheme] = useState(edited.theme);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const shown = useMemo(() => [question], [question]);
  const resolve = usePictures(shown);
  const isChanged = question !== entry.question || theme !== entry.theme;
  const isBlank = question.text.trim() === '';
  const save = async () => {
    if (isBlank) {
      setProblem('Введите текст вопроса');
      return;
    }
    setBusy(true);
    setProblem('');
    try {
      await call(saveBankEntry, {
        params: { entryId: entry.entryId },
        body: { question, theme: themeOf(theme) },
      });
      onSaved();
    } catch (error) {
      setProblem(`Правки не сохранены. ${failureWords(error)}`);
      setBusy(false);
    }
  };
  return (
    <Sheet
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
      <LeaveGuard
        isDirty={isChanged}
        words="Правки вопроса не сохранены. Если уйти, они пропадут."
      />
      <div className={classes.form}>
        {entry.usesCount > 0 && (
          <InlineNote>
            Вопрос уже {usesWords(entry.usesCount)}: там он останется прежним, правки будут только в
            банке.
          </InlineNote>
        )}
        <QuestionForm
          number={null}
          question={question}
          problems={questionProblems(question)}
          resolve={resolve}
          onChange={setQuestion}
        />
        <SelectField native label="Предмет" choices={THEMES} value={theme} onChange={setTheme} />
      </div>
    </Sheet>
  );
}
