/** Passkeys of this device. The library is loaded when one is used. */
import { CallError } from '#ui/query/call-error.ts'
import type { NewPasskeyProof, PasskeyCreation, PasskeyProof, PasskeyRequest } from './second-factors.schemas.ts'

/** False in old browsers, and where the page is not encrypted. */
export const hasPasskeys = (): boolean => window.isSecureContext && 'PublicKeyCredential' in window

/** Asks the device to answer with a passkey. */
export async function provePasskey(options: PasskeyRequest): Promise<PasskeyProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { id, response } = await startAuthentication({ optionsJSON: options }).catch(asSentence)
  return {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
  }
}

/** Asks the device to make a passkey. */
export async function makePasskey(options: PasskeyCreation): Promise<NewPasskeyProof> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { id, response } = await startRegistration({ optionsJSON: options }).catch(asSentence)
  return { id, client_data: response.clientDataJSON, attestation: response.attestationObject, transports: response.transports ?? [] }
}

/** A browser does not show a page whether the user has cancelled or has no passkey. */
function asSentence(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') throw new CallError(409, 'This device has a passkey of yours already.')
  if (name === 'NotAllowedError' || name === 'AbortError') throw new CallError(400, 'No passkey was used.')
  throw new CallError(400, 'The passkey did not work. Try again.')
}
