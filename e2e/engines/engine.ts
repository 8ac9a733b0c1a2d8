/** One page of a browser other than Chromium, driven by what every engine supports: W3C WebDriver. */
export interface EnginePage {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs the body of a function in the page; `args` are its arguments. */
  run<T>(body: string, ...args: unknown[]): Promise<T>;
  /** User actions: a click into the middle, keys, a chosen file. */
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  attach(selector: string, path: string): Promise<void>;
}

/** A browser with one profile, which outlives its process where the engine supports it. */
export interface EngineBrowser {
  readonly page: EnginePage;
  /** Closes the tab as a person does, beside a new one that is `page` from then on. */
  reopen(): Promise<void>;
  /**
   * Ends the page and opens another one with the stored data of the device. Firefox is killed. WebKit's WebDriver ends
   * its session with a killed page and stores profiles only in memory: there the window is closed, without a question
   * to the page.
   */
  end(): Promise<void>;
  close(): Promise<void>;
}
