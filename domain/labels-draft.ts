/** The storage state of a working copy, shown in the header of the editors. */
export type DraftLocation =
  | 'server'
  | 'sending'
  | 'device'
  | 'offline'
  | 'memory'
  | 'refused'
  | 'gone';

/**
 * The texts of the draft's indicator.
 * @param clock «10:42», for states with a time
 */
export function draftLabel(place: DraftLocation, clock: string): string {
  switch (place) {
    case 'server':
      return `черновик на сервере, ${clock}`;
    case 'sending':
      return 'отправляем черновик…';
    case 'device':
      return `черновик на устройстве, ${clock}`;
    case 'offline':
      return 'нет сети, правки на устройстве';
    case 'memory':
      return 'не удалось сохранить, не закрывайте страницу';
    case 'refused':
      return 'сервер не принял правки, они на устройстве';
    case 'gone':
      return 'тест недоступен, правки на устройстве';
  }
}
