import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';

export interface RightOptionsProps {
  label: string;
  options: readonly { optionId: string; text: string }[];
  value: readonly string[];
  error?: string;
  onChange: (right: string[]) => void;
}

/** Options with the right ones marked. */
export function RightOptions({ label, options, value: right, error, onChange }: RightOptionsProps) {
  return (
    <FieldGroup label={label} error={error}>
      {options.map(({ optionId, text }) => (
        <ChoiceRow
          key={optionId}
          type="checkbox"
          checked={right.includes(optionId)}
          aria-invalid={error ? true : undefined}
          onChange={(checked) =>
            onChange(checked ? [...right, optionId] : right.filter((id) => id !== optionId))
          }
        >
          <RichText inline text={text} />
        </ChoiceRow>
      ))}
    </FieldGroup>
  );
}
