import { ANSWER_TEXT_CHARACTERS, GAP_TEXT_CHARACTERS } from '#contract/limits.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { maxFilesOf, moveFile } from '#domain/answer-files.ts';
import { isAnsweredInText } from '#domain/areas.ts';
import { AreasField } from '#app/ui/taking/AreasField.tsx';
import { ChoiceList } from '#app/ui/taking/ChoiceList.tsx';
import { newId } from '#app/lib/new-id.ts';
import type { FileFieldFile } from '#app/ui/forms/FileCard.tsx';
import { FileField } from '#app/ui/forms/FileField.tsx';
import { GapsField } from '#app/ui/taking/GapsField.tsx';
import { MatchingField } from '#app/ui/taking/MatchingField.tsx';
import { OrderingField } from '#app/ui/taking/OrderingField.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { QuestionText } from '#app/ui/taking/TakingLayout.tsx';
import { TextAnswerField } from '#app/ui/taking/TextAnswerField.tsx';
import type { PreviewAnswer as Given } from './use-preview-answers.ts';

export interface PreviewAnswerProps {
  question: StudentQuestion;
  answer: Given;
  /** Id of the question's text. */
  labelledBy: string;
  resolve: (key: string) => Promise<string>;
  onAnswer: (part: Given) => void;
  onNext?: () => void;
}

/** The answer field as a student sees it, of gaps with its text; nothing is stored. */
export function PreviewAnswer({
  question,
  answer,
  labelledBy,
  resolve,
  onAnswer,
  onNext,
}: PreviewAnswerProps) {
  const renderText = (text: string, still?: boolean) => (
    <RichText inline still={still} text={text} resolveImage={resolve} />
  );
  switch (question.kind) {
    case 'open':
      return (
        <TextAnswerField
          value={answer.text ?? ''}
          input={question.input}
          describedBy={labelledBy}
          maxLength={ANSWER_TEXT_CHARACTERS}
          onChange={(text) => onAnswer({ text })}
          {...(onNext && { onEnter: onNext })}
        />
      );
    case 'variant': {
      const list = {
        options: question.options.map(({ optionId, ...option }) => ({ id: optionId, ...option })),
        selected: answer.optionIds ?? [],
        multiple: question.multiple,
        labelledBy,
        renderText,
        onChange: (optionIds: string[]) => onAnswer({ optionIds }),
      };
      return isAnsweredInText(question) && question.text.trim() !== '' ? (
        <AreasField {...list} text={question.text} resolveImage={resolve} />
      ) : (
        <ChoiceList {...list} />
      );
    }
    case 'compliance':
      return (
        <MatchingField
          left={question.left}
          right={question.right}
          pairs={answer.pairs ?? []}
          reuse={question.reuse}
          labelledBy={labelledBy}
          renderText={renderText}
          onChange={(pairs) => onAnswer({ pairs })}
        />
      );
    case 'ordering':
      return (
        <OrderingField
          items={question.items}
          order={answer.itemIds ?? []}
          labelledBy={labelledBy}
          renderText={renderText}
          onChange={(itemIds) => onAnswer({ itemIds })}
        />
      );
    case 'gaps':
      return (
        <QuestionText id={labelledBy}>
          <GapsField
            text={question.text}
            gaps={question.gaps}
            answered={answer.gaps ?? []}
            maxLength={GAP_TEXT_CHARACTERS}
            resolveImage={resolve}
            onChange={(gaps) => onAnswer({ gaps })}
            {...(onNext && { onEnter: onNext })}
          />
        </QuestionText>
      );
    case 'file': {
      const { files = [] } = answer;
      return (
        <FileField
          files={files}
          maxFiles={question.maxFiles}
          state="none"
          accept={question.accept}
          maxBytes={question.maxBytes}
          labelledBy={labelledBy}
          onPick={(picked) => onAnswer({ files: withPicked(files, picked, maxFilesOf(question)) })}
          onRemove={(id) => onAnswer({ files: files.filter((file) => file.id !== id) })}
          onMove={(id, to) => onAnswer({ files: moveFile(files, (file) => file.id === id, to) })}
        />
      );
    }
  }
}

/** One file replaces the other where the question takes one; else they are added as far as it takes them. */
function withPicked(
  files: readonly FileFieldFile[],
  picked: readonly File[],
  maxFiles: number,
): readonly FileFieldFile[] {
  const added = picked.map(({ name, size, type }) => ({
    id: newId(),
    name,
    size,
    mimeType: type,
  }));
  return maxFiles === 1 ? added.slice(0, 1) : [...files, ...added].slice(0, maxFiles);
}
