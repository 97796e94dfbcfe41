/** Showing again who one is, for users who sign in without a password: it stands for the password for five minutes. */
import { call, contract } from '#contract/endpoint.ts'
import type { identityProofsSchemas } from './identity-proofs.schemas.ts'

const limited = { rateLimit: { max: 20, seconds: 300 } } as const

export const identityProofs = contract<typeof identityProofsSchemas>({
  name: 'identityProofs',
  area: 'company',
  access: 'person',
  internal: true,
}).calls({
  get: call('GET user/my_proof'),
  passkeyOptions: call('POST user/my_proof/passkey/options', limited),
  passkey: call('POST user/my_proof/passkey', { ...limited, external: true }),
  startProvider: call('POST user/my_proof/oidc/start', { ...limited, external: true }),
  provider: call('POST user/my_proof/oidc', { ...limited, external: true }),
})
