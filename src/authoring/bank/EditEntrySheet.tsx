import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { saveBankEntry, type BankEntry } from '#contract/bank.ts';
import type { Question } from '#contract/questions.ts';
import { Theme } from '#contract/themes.ts';
import { usesWords } from '#domain/labels-bank.ts';
import { questionProblems } from '#domain/publishing.ts';
import { call } from '#app/api/call.ts';
import { SUBJECTS } from '#app/authoring/created-filters.ts';
import { QuestionForm } from '#app/authoring/question/QuestionForm.tsx';
import { failureWords } from '#app/offline/failure-words.ts';
import { usePictures } from '#app/offline/use-pictures.ts';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Bank.module.css';

const THEMES = [{ value: '', label: 'Не указан' }, ...SUBJECTS];

const isTheme = (value: string): value is Theme => Theme.options.some((theme) => theme === value);

export interface EditEntrySheetProps {
  entry: BankEntry;
  onClose: () => void;
  onSaved: () => void;
}

/** Changes a question of the bank; tests keep theirs. What was typed is dropped only when asked. */
export function EditEntrySheet({ entry, onClose, onSaved }: EditEntrySheetProps) {
  const [question, setQuestion] = useState<Question>(entry.question);
  const [theme, setTheme] = useState(entry.theme);
  const [isLeaving, setLeaving] = useState(false);
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
        body: { question, theme: isTheme(theme) ? theme : '' },
      });
      onSaved();
    } catch (error) {
      setProblem(`Правки не сохранены. ${failureWords(error)}`);
      setBusy(false);
    }
  };
  return (
    <>
      <Sheet
        opened={!isLeaving}
        onClose={() => (isChanged ? setLeaving(true) : onClose())}
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
        <div className={classes.form}>
          {entry.usesCount > 0 && (
            <InlineNote>
              Вопрос уже {usesWords(entry.usesCount)}: там он останется прежним, правки будут только
              в банке.
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
      <ConfirmSheet
        opened={isLeaving}
        title="Закрыть без сохранения?"
        confirm="Не сохранять"
        cancel="Вернуться к правке"
        onConfirm={onClose}
        onClose={() => setLeaving(false)}
      >
        Правки вопроса пропадут. В банке и в тестах он останется прежним.
      </ConfirmSheet>
    </>
  );
}
