import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type {
  addPasskey,
  PasskeyAssertion,
  PasskeyRequest,
  startPasskey,
} from '#contract/second-factor.ts';
import type { CallInput, ReplyOf } from '#contract/route.ts';
import type { InferInput } from 'valibot';

type Attestation = CallInput<typeof addPasskey>['body']['attestation'];

/** Whether this browser supports passkeys; over plain HTTP only on localhost. */
export const canUsePasskeys = (): boolean => browserSupportsWebAuthn();

const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Ключ входа не использован: запрос отменён или время вышло. Нажмите ещё раз или выберите другой способ',
  InvalidStateError: 'На этом устройстве ключ для вашей учётной записи уже есть',
  SecurityError:
    'По этому адресу ключи входа не работают. Откройте сайт по его обычному адресу или выберите другой способ',
};

/** Message for a WebAuthn error of the browser. */
function describePasskeyError(cause: unknown): Error {
  const name = cause instanceof WebAuthnError || cause instanceof Error ? cause.name : '';
  const message =
    MESSAGES[name] ?? 'Браузер не смог использовать ключ входа. Выберите другой способ';
  return new Error(message, { cause });
}

/** Asks for an assertion of a passkey. Throws an error with a message for the user. */
export async function requestAssertion(
  optionsJSON: PasskeyRequest,
): Promise<InferInput<typeof PasskeyAssertion>> {
  try {
    const { id, rawId, type, response } = await startAuthentication({ optionsJSON });
    return { id, rawId, type, response };
  } catch (cause) {
    throw describePasskeyError(cause);
  }
}

/** Creates a passkey. Throws an error with a message for the user. */
export async function makePasskey(
  optionsJSON: ReplyOf<typeof startPasskey>['options'],
): Promise<Attestation> {
  try {
    const { id, rawId, type, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports } = response;
    return {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
    };
  } catch (cause) {
    throw describePasskeyError(cause);
  }
}
