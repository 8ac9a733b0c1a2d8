const WHEN = String.raw`(?:(?:сегодня|\d+\s[а-я]+),\s)?\d\d:\d\d`;

/** Words with a moment in them, «HH:MM», as near midnight it is shown with its day. */
export const withMoment = (before: string, after = ''): RegExp =>
  new RegExp(`${before}${WHEN}${after}`);
