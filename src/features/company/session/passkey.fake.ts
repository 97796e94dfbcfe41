/** A passkey in memory, which answers as WebAuthn level 3 says: https://www.w3.org/TR/webauthn-3/ */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { NewPasskeyProof, PasskeyCreation, PasskeyProof, PasskeyRequest } from '#features/company/users/second-factors.schemas.ts'

export interface FakePasskey {
  make(options: PasskeyCreation): NewPasskeyProof
  prove(options: PasskeyRequest, lies?: Lies): PasskeyProof
}

/** What a device or a page may get wrong. */
interface Lies {
  origin?: string
  rpId?: string
  /** False: the device has not checked who holds it. */
  verified?: boolean
  counter?: number
  challenge?: string
  /** Signs with another key. */
  forged?: boolean
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** The part of CBOR (RFC 8949) that an attestation needs. */
type Cbor = number | string | Uint8Array | Map<number | string, Cbor>
function cbor(value: Cbor): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

export function createPasskey(origin: string): FakePasskey {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  const clientData = (type: string, challenge: string, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const authenticatorData = (rpId: string, flags: number, count: number, rest: Uint8Array = Buffer.alloc(0)) => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), number, rest])
  }
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  return {
    make({ challenge, rp }) {
      const { x = '', y = '' } = keys.publicKey.export({ format: 'jwk' })
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(rp.id, 0x45, counter, credential)],
      ])
      return {
        id: text(id),
        client_data: text(clientData('webauthn.create', challenge, origin)),
        attestation: text(cbor(attestation)),
        transports: ['internal'],
      }
    },
    prove({ challenge, rpId }, lies = {}) {
      counter = lies.counter ?? counter + 1
      const data = clientData('webauthn.get', lies.challenge ?? challenge, lies.origin ?? origin)
      const authenticator = authenticatorData(lies.rpId ?? rpId, lies.verified === false ? 0x01 : 0x05, counter)
      const { privateKey } = lies.forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : keys
      const signature = createSign('sha256').update(authenticator).update(sha256(data)).sign(privateKey)
      return { id: text(id), client_data: text(data), authenticator_data: text(authenticator), signature: text(signature) }
    },
  }
}
