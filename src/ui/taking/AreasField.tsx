import { formatAreaMark } from '#domain/format-areas.ts';
import { AreasText, type PicturePart } from './AreasText.tsx';
import { ChoiceList, toggleChoice, type ChoiceListProps } from './ChoiceList.tsx';
import { QuestionText } from './TakingLayout.tsx';

export interface AreasFieldProps extends Omit<ChoiceListProps, 'options'> {
  /** Markdown; the areas lie on its first picture. */
  text: string;
  options: readonly { id: string; text: string; area?: PicturePart | undefined }[];
}

/** A choice by a tap on the picture in the question's text, or in the list below it. */
export function AreasField({ text, options, ...list }: AreasFieldProps) {
  const { selected, multiple, locked = false, labelledBy, onChange } = list;
  const marked = options.map((option, index) =>
    option.area ? { ...option, mark: formatAreaMark(option.text, index) } : option,
  );
  const tap = (id: string) => onChange(toggleChoice({ options, selected, multiple }, id));
  return (
    <>
      <QuestionText id={labelledBy}>
        <AreasText
          text={text}
          areas={marked.flatMap((option) =>
            option.area && 'mark' in option
              ? [
                  {
                    id: option.id,
                    mark: option.mark,
                    area: option.area,
                    isChosen: selected.includes(option.id),
                  },
                ]
              : [],
          )}
          onTap={locked ? undefined : tap}
        />
      </QuestionText>
      <ChoiceList {...list} options={marked} />
    </>
  );
}
