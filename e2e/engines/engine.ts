/** One page of a browser that is no Chromium, driven by what every engine has: W3C WebDriver. */
export interface EnginePage {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs the body of a function in the page; `args` are its arguments. */
  run<T>(body: string, ...args: unknown[]): Promise<T>;
  /** What a person does: a click into the middle, keys, a chosen file. */
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  attach(selector: string, path: string): Promise<void>;
}

/** A browser with one profile, which outlives its death where the engine can be asked to keep it. */
export interface EngineBrowser {
  readonly page: EnginePage;
  /**
   * Ends the page and opens another one with what the device has kept. Firefox is killed. WebKit's
   * WebDriver gives its session up with a killed page and keeps profiles in memory alone: there the
   * window is closed, which asks the page nothing.
   */
  end(): Promise<void>;
  close(): Promise<void>;
}
