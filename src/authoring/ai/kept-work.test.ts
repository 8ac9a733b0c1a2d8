import { expect, test } from 'vitest';
import { EMPTY_FORM } from './ask-form.ts';
import { rememberTold, wasTold, workKeeper } from './kept-work.ts';
import { NO_DRAFTS } from './work.ts';

function memory(kept: string | null = null) {
  let value = kept;
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      value = next;
    },
  };
}
const full = {
  getItem: () => null,
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
};

test('a host is told of once; what is broken in the storage counts as not told', () => {
  const local = memory('[[[');
  expect(wasTold(local, 'api.provider.ru')).toBe(false);
  rememberTold(local, 'api.provider.ru');
  expect(wasTold(local, 'api.provider.ru')).toBe(true);
  expect(wasTold(local, 'other.ru')).toBe(false);
});

test('a full storage stops nobody: it is told again next time, and drafts say they are not kept', () => {
  expect(() => rememberTold(full, 'api.provider.ru')).not.toThrow();
  const work = { form: EMPTY_FORM, drafts: NO_DRAFTS };
  expect(workKeeper('teacher', 'test', () => full).keep(work)).toBe(false);
});

test.each(['{{{', 'null', '{"form":3,"drafts":{"pending":7}}'])(
  '«%s» in the storage is an empty desk',
  (kept) => {
    const work = workKeeper('teacher', 'test', () => memory(kept)).read();
    expect(work).toEqual({ form: EMPTY_FORM, drafts: NO_DRAFTS });
  },
);
