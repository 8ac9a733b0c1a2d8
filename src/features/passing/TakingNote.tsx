import {
  IconAlertTriangle,
  IconClock,
  IconCloudOff,
  IconCopy,
  IconDatabaseOff,
  IconDeviceMobile,
  IconLock,
  IconLogin2,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { SaveAnswersButton } from '#app/lib/SaveAnswersButton.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import type { FilePick } from '#app/questions/file/file-picks.ts';
import { useCleared } from './use-attempt.ts';
import { useAddedTime } from './use-added-time.ts';
import { useUrgentFocus } from './use-urgent-focus.ts';
import type { TimeNotice } from './use-time-notice.ts';
import {
  endsByItselfMessage,
  hasUnsent,
  lastMinuteMessage,
  missedMessage,
  takeoverMessage,
  timeOverMessage,
} from './messages.ts';

export interface TakingNoteProps {
  view: AttemptView;
  /** Why the last answer could not be stored. */
  problem: string | null;
  picks: readonly FilePick[];
  notice: TimeNotice;
  onSignIn: () => void;
  onExport: () => Promise<void>;
}

/**
 * The single note above the question: the most important message now. Both live regions are on the page before they
 * have a text. A message that stops the student is spoken at once and has the focus; others wait for a pause.
 */
export function TakingNote(props: TakingNoteProps) {
  const { view, problem, notice } = props;
  const added = useAddedTime(view);
  const reason = view.readOnly ?? problem;
  const urgent = useUrgentFocus(reason);
  const isUrgent = reason !== null;
  const isAdded = !isUrgent && added !== null;
  const { kind } = view.sync;
  // The header has already announced this text.
  const isTimeNote = notice.shown !== null && kind !== 'unstorable' && kind !== 'signedOut';
  return (
    <>
      <div role="alert" {...urgent} tabIndex={-1}>
        {isUrgent && <NoteContent {...props} />}
        {isAdded && (
          <InlineNote tone="line" icon={IconClock}>
            <strong>{added}</strong>
          </InlineNote>
        )}
      </div>
      <div role="status">{!isUrgent && !isAdded && !isTimeNote && <NoteContent {...props} />}</div>
      <div>{!isUrgent && isTimeNote && <NoteContent {...props} />}</div>
    </>
  );
}

function NoteContent({ view, problem, picks, notice, onSignIn, onExport }: TakingNoteProps) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const offlineNote = useOfflineNote(view);
  const [isCleared, dismissCleared] = useCleared(view.attemptId);
  const { readOnly, sync } = view;
  const missed = missedMessage(picks, view);
  const save = hasUnsent(view) && <SaveAnswersButton onSave={onExport} />;

  if (readOnly === 'takenOver') {
    return (
      <InlineNote tone="ink" icon={IconDeviceMobile} action={save}>
        Тест продолжается на другом устройстве: здесь он открыт только для чтения.{' '}
        {takeoverMessage(view, serverNow(), timeZone)} <strong>{missed}</strong>
      </InlineNote>
    );
  }
  if (readOnly === 'secondTab') {
    return (
      <InlineNote tone="ink" icon={IconCopy}>
        Тест открыт в другой вкладке: отвечайте там. Закройте её, чтобы продолжить здесь.
      </InlineNote>
    );
  }
  if (readOnly === 'gone') {
    return (
      <InlineNote tone="warn" icon={IconAlertTriangle} action={save}>
        Преподаватель удалил эту попытку. Ответы сохранены на этом устройстве: если её вернут, они
        уйдут.
      </InlineNote>
    );
  }
  if (readOnly !== null) {
    const { head, rest } = timeOverMessage(view, timeZone);
    return (
      <InlineNote tone="ink" icon={IconLock} action={save}>
        <strong>{head}</strong> {rest} <strong>{missed}</strong>
      </InlineNote>
    );
  }
  if (problem !== null) {
    return (
      <InlineNote tone="bad" icon={IconAlertTriangle} action={save}>
        {problem}
      </InlineNote>
    );
  }
  if (sync.kind === 'unstorable') {
    return (
      <InlineNote tone="bad" icon={IconDatabaseOff} action={save}>
        Устройство не сохраняет ответы: их хранит только сервер. Не закрывайте страницу, пока нет
        сети.
      </InlineNote>
    );
  }
  if (sync.kind === 'signedOut') {
    return (
      <InlineNote
        tone="warn"
        icon={IconLogin2}

        action={
          <>
            <QuietButton onClick={onSignIn}>Войти</QuietButton>
            {save}
          </>
        }
      >
        Вход закончился. Отвечайте дальше: ответы хранятся на устройстве и уйдут, когда вы войдёте.
      </InlineNote>
    );
  }
  if (isCleared) {
    return (
      <InlineNote
        tone="warn"
        icon={IconDatabaseOff}
        action={<QuietButton onClick={dismissCleared}>Понятно</QuietButton>}
      >
        Браузер очистил память этого сайта. Ответы, которые были видны здесь, записаны заново, а
        отправленные хранит сервер: отвечайте дальше. Не дошедший файл выберите снова.
      </InlineNote>
    );
  }
  if (notice.shown !== null) {
    return <TimeNote view={view} notice={notice} />;
  }
  if (!offlineNote) return null;
  return (
    <InlineNote icon={IconCloudOff} action={save}>
      {offlineNote === 'offline' ? 'Нет сети.' : 'Сервер не отвечает.'} Отвечайте дальше: ответы
      хранятся на этом устройстве и уйдут сами.
    </InlineNote>
  );
}

function TimeNote({ view, notice }: Pick<TakingNoteProps, 'view' | 'notice'>) {
  const timeZone = useShownZone();
  return (
    <InlineNote tone="line" icon={IconClock}>
      {notice.shown === 1 ? (
        <>
          <strong>Последняя минута.</strong> {lastMinuteMessage(view, timeZone)}
        </>
      ) : (
        <>
          <strong>{notice.announcement}.</strong> {endsByItselfMessage(view, timeZone)}
        </>
      )}
    </InlineNote>
  );
}

/** Shown once per network outage; closes when everything is delivered. */
function useOfflineNote({ sync }: AttemptView): 'offline' | 'silent' | null {
  const [note, setNote] = useState<'offline' | 'silent' | null>(null);
  const away = sync.kind === 'offline' || sync.kind === 'silent' ? sync.kind : null;
  if (away && note !== away) setNote(away);
  if (sync.kind === 'delivered' && note !== null) setNote(null);
  return note;
}
