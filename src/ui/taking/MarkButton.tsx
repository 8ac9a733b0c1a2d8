import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react';
import { QuietButton } from '#app/ui/QuietButton.tsx';

/** Marks a question for review. */
export function MarkButton({ marked, onToggle }: { marked: boolean; onToggle: () => void }) {
  return (
    <QuietButton
      icon={marked ? IconBookmarkFilled : IconBookmark}
      tone={marked ? 'warn' : 'text'}
      pressed={marked}
      onClick={onToggle}
    >
      {marked ? 'Отмечен' : 'Отметить'}
    </QuietButton>
  );
}
