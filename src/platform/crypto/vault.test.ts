/** Secrets: sealed to their place, signed for one purpose, and passwords that cost the same to miss. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkPassword, createVault, hashPassword, newToken, readSecretKey } from './vault.ts'

const vault = createVault('k'.repeat(40))

describe('a sealed secret', () => {
  it('opens at its own place only, and with its own key only', () => {
    const sealed = vault.encrypt('printnode-key', '7 printnode')
    expect(vault.decrypt(sealed, '7 printnode')).toBe('printnode-key')
    expect(() => vault.decrypt(sealed, '8 printnode')).toThrow()
    expect(() => createVault('x'.repeat(40)).decrypt(sealed, '7 printnode')).toThrow()
  })

  it('looks different each time, shows nothing of itself, and notices a changed byte', () => {
    const [a, b] = [vault.encrypt('same', 'place'), vault.encrypt('same', 'place')]
    expect(a.equals(b)).toBe(false)
    expect(a.includes('same')).toBe(false)
    a[a.length - 20]! ^= 1
    expect(() => vault.decrypt(a, 'place')).toThrow()
  })
})

describe('a signature', () => {
  it('holds for its text and its purpose, and for nothing else', () => {
    const signature = vault.sign('tracking', '1:2')
    expect(vault.verify('tracking', '1:2', signature)).toBe(true)
    expect(vault.verify('tracking', '1:3', signature)).toBe(false)
    expect(vault.verify('today', '1:2', signature)).toBe(false)
    expect(vault.verify('tracking', '1:2', `${signature}x`)).toBe(false)
    expect(vault.verify('tracking', '1:2', '')).toBe(false)
  })

  it('has 128 bits', () => {
    expect(Buffer.from(vault.sign('tracking', '1:2'), 'base64url')).toHaveLength(16)
  })
})

describe('a password', () => {
  it('is kept as argon2id with at least 19 MiB and two passes, and never twice alike', async () => {
    const [a, b] = await Promise.all([hashPassword('harbour crane'), hashPassword('harbour crane')])
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(a).not.toBe(b)
    expect(await checkPassword('harbour crane', a)).toBe(true)
    expect(await checkPassword('harbour crans', a)).toBe(false)
  })

  it.each([null, '', 'plain', '$argon2id$broken'])('that is kept as %j never matches', async hash => {
    expect(await checkPassword('anything', hash)).toBe(false)
  })
})

describe('tokens and the server’s key', () => {
  it('are 256 random bits', () => {
    expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32)
    expect(new Set(Array.from({ length: 100 }, () => newToken())).size).toBe(100)
  })

  it('keep the key made at the first start, readable by its owner alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pakhus-key-'))
    const [first, second] = await Promise.all([readSecretKey(undefined, folder), readSecretKey(undefined, folder)])
    expect(second).toBe(first)
    expect((await stat(join(folder, 'secret.key'))).mode & 0o077).toBe(0)
    expect((await readFile(join(folder, 'secret.key'), 'utf8')).trim()).toBe(first)
    await rm(folder, { recursive: true })
  })
})
