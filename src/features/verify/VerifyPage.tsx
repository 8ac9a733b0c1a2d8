import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconFileText } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { showJoinCode } from '#domain/join-codes.ts';
import { MAX_RECEIPT_CHARACTERS, unpackDocument } from '#domain/receipt.ts';
import { loadReceiptKeys } from '#app/lib/receipts/receipt-keys.ts';
import { NOT_PROVEN, ReceiptRows } from '#app/lib/receipts/ReceiptRows.tsx';
import { verifyReceipt, type ReceiptVerdict } from '#app/lib/receipts/verify.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { LimitedTextarea } from '#app/ui/forms/LimitedField.tsx';
import { PickButton } from '#app/ui/forms/PickButton.tsx';
import { PROBLEM_MESSAGES, TOO_BIG } from './messages.ts';

/** A character has at most four bytes. */
const MAX_FILE_BYTES = 4 * MAX_RECEIPT_CHARACTERS;

function Verdict({ verdict }: { verdict: ReceiptVerdict }) {
  if (verdict.kind !== 'genuine')
    return (
      <InlineNote tone="bad" icon={IconAlertTriangle}>
        {PROBLEM_MESSAGES[verdict.kind]}
      </InlineNote>
    );
  return (
    <>
      <InlineNote tone="ok" icon={IconCheck}>
        Квитанция подлинная: её подписала эта школа, и в ней ничего не изменено.
      </InlineNote>
      <Text>
        Контрольный код: <b className="nowrap">{showJoinCode(verdict.code)}</b>
      </Text>
      <ReceiptRows facts={verdict.receipt.facts} />
      <InlineNote>{NOT_PROVEN}</InlineNote>
    </>
  );
}

/** The document of the address after `#`; null: there is none. */
function documentOfAddress(hash: string): string | null {
  const packed = hash.replace(/^#/, '');
  return packed === '' ? null : (unpackDocument(packed) ?? packed);
}

/** The check of one document after another, and its outcome. */
function useVerification() {
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<ReceiptVerdict | null>(null);
  const change = (value: string) => {
    setText(value);
    setVerdict(null);
  };
  const verify = async (document: string) => {
    setText(document.slice(0, MAX_RECEIPT_CHARACTERS));
    setVerdict(verifyReceipt(document, await loadReceiptKeys()));
  };
  return { text, verdict, change, verify };
}

/** Checks a receipt on this device. `hash`: of the page's address, where a QR code puts a receipt. */
export function VerifyPage({ hash }: { hash: string }) {
  const { text, verdict, change, verify } = useVerification();
  const [isTooBig, setTooBig] = useState(false);
  // Keys are stored at the first visit, for a check without a network.
  const verifyAddress = useEffectEvent((document: string) => verify(document));
  useEffect(() => {
    const document = documentOfAddress(hash);
    void (document === null ? loadReceiptKeys() : verifyAddress(document));
  }, [hash]);
  const pick = async (file: File | undefined) => {
    if (!file) return;
    setTooBig(file.size > MAX_FILE_BYTES);
    if (file.size > MAX_FILE_BYTES) change('');
    else await verify(await file.text());
  };
  return (
    <Stack maw="42rem">
      <p>
        Вставьте текст квитанции или выберите её файл. Проверка идёт на этом устройстве, текст
        никуда не отправляется.
      </p>
      <LimitedTextarea
        label="Текст квитанции"
        rows={6}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_RECEIPT_CHARACTERS}
        value={text}
        onChange={change}
      />
      <Group gap="xs" className="wide-on-phones">
        <Button disabled={text.trim() === ''} onClick={() => void verify(text)}>
          Проверить
        </Button>
        <PickButton
          variant="default"
          icon={IconFileText}
          label="Файл квитанции"
          accept=".txt,text/plain"
          onFiles={([file]) => void pick(file)}
        >
          Выбрать файл
        </PickButton>
      </Group>
      <Stack role="status" gap="sm">
        {isTooBig && (
          <InlineNote tone="bad" icon={IconAlertTriangle}>
            {TOO_BIG}
          </InlineNote>
        )}
        {verdict && <Verdict verdict={verdict} />}
      </Stack>
    </Stack>
  );
}
