const WHEN = String.raw`(?:(?:сегодня|\d+\s[а-я]+),\s)?\d\d:\d\d`;

/** Text with a time, «HH:MM», which near midnight is shown with its day. */
export const withMoment = (before: string, after = ''): RegExp =>
  new RegExp(`${before}${WHEN}${after}`);
