import { Box, Button, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { saveFile } from '#app/lib/files.ts';
import { useCopied } from '#app/lib/use-copied.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PrintedPaper } from '#app/ui/data/PrintedPaper.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { siteName } from '#app/ui/site.ts';
import { columnsOf } from '#app/ui/columns.ts';

const HEADING = 'Коды восстановления';

/** The printed codes; hidden on the screen. */
function PrintedCodes({ codes }: { codes: readonly string[] }) {
  return (
    <PrintedPaper>
      <h1>
        {HEADING}: {siteName()}
      </h1>
      <ul>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>Каждый код заменяет второй шаг входа один раз. Храните листок там, где его не увидят.</p>
    </PrintedPaper>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`;
  const { state, copy } = useCopied(text);
  const CopyIcon = state === 'copied' ? IconCheck : IconCopy;
  return (
    <Stack>
      <InlineNote tone="warn">
        Коды видны только сейчас. Сохраните их не на том телефоне, где приложение с кодами: каждый
        один раз заменит второй шаг, если телефона нет под рукой. Прежние коды больше не действуют.
      </InlineNote>
      <Box
        component="ul"
        {...columnsOf('min(100%, 19.5rem)', { gap: '0.5rem 1rem', repeat: 'auto-fill' })}
        fz="lg"
        className="tabular nowrap"
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </Box>
      <Group gap="xs" align="stretch">
        <Button
          variant="default"
          leftSection={<CopyIcon size={20} stroke={1.75} aria-hidden />}
          onClick={copy}
        >
          {state === 'copied' ? 'Скопировано' : 'Скопировать'}
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={IconDownload} />}
          onClick={() =>
            saveFile(
              new Blob([`${HEADING}, ${siteName()}\n\n${text}`], { type: 'text/plain' }),
              'коды восстановления.txt',
            )
          }
        >
          Скачать
        </Button>
        <Button
          variant="default"
          leftSection={<Icon of={IconPrinter} />}
          onClick={() => window.print()}
        >
          Напечатать
        </Button>
      </Group>
      <div role="alert">
        {state === 'failed' && (
          <FieldError>Скопировать не удалось. Выделите коды и скопируйте сами</FieldError>
        )}
      </div>
      <PrintedCodes codes={codes} />
    </Stack>
  );
}

/** Shows new recovery codes, which exist only in this page's memory. */
export function RecoveryCodesModal({
  codes,
  onClose,
}: {
  /** Null: none were created. */
  codes: readonly string[] | null;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      title={HEADING}
      footer={<Button onClick={onClose}>Коды сохранены</Button>}
    >
      {codes && <Codes codes={codes} />}
    </Modal>
  );
}
