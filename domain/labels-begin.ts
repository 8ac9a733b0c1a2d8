import type { BeginHold } from '#contract/offers.ts';

/** Why the teacher decides on a begin without a network. */
export const HOLD_LABELS: Readonly<Record<BeginHold, string>> = {
  proof: 'Устройство не доказало, что открыло этот тест',
  replacedOffer: 'Начат прежний вариант: тест или код к этому времени изменились',
  unknownTime: 'Часы устройства переводили, и время начала неизвестно',
  beforeOffer: 'По часам устройства начат раньше, чем загружен',
  beforeCode: 'Начат раньше, чем вы показали код',
  beforeOpening: 'Начат раньше, чем тест открылся',
  afterEnd: 'Начат после того, как тест закрылся',
  testClosed: 'Тест в архиве или больше не назначен ученику',
  noAttemptsLeft: 'Попыток не оставалось',
  otherAttempt: 'В это время шла другая попытка ученика',
  secondDevice: 'Та же попытка начата ещё на одном устройстве',
};
