import { Button, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { showStartCode } from '#domain/start-code.ts';
import { PrintedPaper } from '#app/ui/data/PrintedPaper.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { FullScreenBoard } from '#app/ui/overlays/FullScreenBoard.tsx';
import { codeHeading } from './code-heading.ts';
import { spellCode } from './spell-code.ts';

const HINT =
  'Откройте тест на своём устройстве, нажмите «Начать без сети» и введите код. Большие и маленькие буквы, русские и латинские не различаются';

/** The printed code; hidden on the screen. */
function PrintedCode({ heading, shown }: { heading: string; shown: string }) {
  return (
    <PrintedPaper>
      <h1>{heading}</h1>
      <Text fz="4rem" fw={600} className="nowrap tabular">
        {shown}
      </Text>
      <p>{HINT}.</p>
    </PrintedPaper>
  );
}

/** The start code in full screen, legible from the last desk. */
export function StartCodeBoard({
  code,
  className,
  onClose,
}: {
  code: string;
  className: string | null;
  onClose: () => void;
}) {
  const shown = showStartCode(code);
  const heading = codeHeading(className);
  return (
    <FullScreenBoard heading={heading} onClose={onClose}>
      {/* Spoken sign by sign, and never as a word. */}
      <Text
        fz="clamp(2.25rem, 15vmin, 12rem)"
        fw={600}
        lh={1.15}
        lts="0.04em"
        className="tabular"
        aria-label={Array.from(code).join(' ')}
        role="img"
      >
        {shown}
      </Text>
      <Text fz="clamp(1rem, 3vmin, 2rem)" lh={1.3} c="dimmed" aria-hidden>
        {className === null ? 'Вслух' : `Вслух, для ${className}`}: {spellCode(shown)}
      </Text>
      <Text fz="clamp(1rem, 3vmin, 2rem)" lh={1.3} textWrap="balance">
        {HINT}
      </Text>
      <Button
        variant="default"
        leftSection={<Icon of={IconPrinter} />}
        onClick={() => window.print()}
      >
        Распечатать
      </Button>
      <PrintedCode heading={heading} shown={shown} />
    </FullScreenBoard>
  );
}
