import type { Locator, Page } from '@playwright/test';

export interface Credentials {
  email: string;
  password: string;
}

/** The sign-in form: on the screen of its own, or in place on the taking page. */
export class SignIn {
  readonly email: Locator;
  readonly password: Locator;
  readonly submit: Locator;
  readonly unsentNote: Locator;
  readonly otherPersonNote: Locator;

  constructor(scope: Page | Locator) {
    this.email = scope.getByLabel('Почта');
    this.password = scope.getByLabel(/^Пароль/);
    this.submit = scope.getByRole('button', { name: 'Войти', exact: true });
    this.unsentNote = scope.getByText('На этом устройстве есть неотправленные ответы');
    this.otherPersonNote = scope.getByText('Этот тест проходит другой человек');
  }

  async signIn({ email, password }: Credentials): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.submit.click();
  }
}
