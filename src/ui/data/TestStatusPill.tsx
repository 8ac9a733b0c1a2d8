import {
  IconArchive,
  IconCalendarOff,
  IconCalendarTime,
  IconCircleCheck,
  IconLock,
  IconPencil,
  IconPlayerPlay,
  IconProgress,
  IconUserSearch,
} from '@tabler/icons-react';
import {
  testStatusLabel,
  type OwnerStatusName,
  type StatusDetails,
  type TestStatusName,
} from '#domain/labels-status.ts';
import { type Sign, StatePill } from './StatePill.tsx';

const SIGNS: Readonly<Record<TestStatusName | OwnerStatusName, Sign>> = {
  scheduled: { icon: IconCalendarTime, tone: 'quiet' },
  available: { icon: IconPlayerPlay, tone: 'ink' },
  inProgress: { icon: IconProgress, tone: 'info' },
  pendingReview: { icon: IconUserSearch, tone: 'warn' },
  passed: { icon: IconCircleCheck, tone: 'ok' },
  overdue: { icon: IconCalendarOff, tone: 'bad' },
  closed: { icon: IconLock, tone: 'quiet' },
  draft: { icon: IconPencil, tone: 'quiet' },
  active: { icon: IconCircleCheck, tone: 'ok' },
  archived: { icon: IconArchive, tone: 'quiet' },
};

export interface TestStatusPillProps extends StatusDetails {
  status: TestStatusName | OwnerStatusName;
}

/** The status of a test for its student, or for its owner. */
export function TestStatusPill({ status, ...facts }: TestStatusPillProps) {
  return <StatePill {...SIGNS[status]}>{testStatusLabel(status, facts)}</StatePill>;
}
