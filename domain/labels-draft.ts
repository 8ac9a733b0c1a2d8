/** Where the working copy of a test is, as the head of the editors names it. */
export type DraftPlace =
  | 'server'
  | 'sending'
  | 'device'
  | 'offline'
  | 'memory'
  | 'refused'
  | 'gone';

/**
 * The words beside the draft's trail.
 * @param clock «10:42», for the places that have a time
 */
export function draftWords(place: DraftPlace, clock: string): string {
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
