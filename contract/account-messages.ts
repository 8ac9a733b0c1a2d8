// Shown by the screen before the call, by the server after it. In a separate file, so that no page loads all error
// messages for two of them.

export const LAST_ADMIN_MESSAGE = 'Это последний администратор. Сначала назначьте ещё одного';
export const OWN_ACCOUNT_MESSAGE =
  'Со своей учётной записью так нельзя. Попросите другого администратора';
