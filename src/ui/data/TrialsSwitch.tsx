import { formatNumber } from '#domain/format.ts';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';

export interface TrialsSwitchProps {
  /** The number of trials, shown or not. */
  count: number;
  isShown: boolean;
  onChange: (isShown: boolean) => void;
}

/** Shows or hides trials among the attempts of students; absent when there are none. */
export function TrialsSwitch({ count, isShown, onChange }: TrialsSwitchProps) {
  if (count === 0 && !isShown) return null;
  return (
    <SwitchField
      label={`Показать пробные: ${formatNumber(count)}`}
      description={
        isShown
          ? 'Показаны и посчитаны попытки преподавателей и администраторов'
          : 'Попытки преподавателей и администраторов'
      }
      value={isShown}
      onChange={onChange}
    />
  );
}
