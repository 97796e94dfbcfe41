/** On the page of a user: what they sign in with besides the password, and the reset for whom has lost it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { confirm } from '#ui/kit/Confirm.tsx'
import { instant } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { secondFactors } from './second-factors.contract.ts'
import { users } from './users.contract.ts'
import type { User } from './users.schemas.ts'

export function UserFactors({ user }: { user: User }) {
  const t = useT()
  const { user: me } = useSignedIn()
  const factors = useCall(secondFactors.of, { id: user.user_id })
  const reset = useSend(secondFactors.reset, { refreshes: [secondFactors.of, users.sessions], said: t('Second factor reset') })
  const ask = async () => {
    const sure = await confirm({
      title: t('Reset the second factor of {{name}}?', { name: user.name }),
      body: t('Code app, recovery codes and passkeys are removed and all sessions end. Be sure that it is {{name}} who asks.', {
        name: user.name,
      }),
      action: t('Reset second factor'),
      danger: true,
    })
    if (sure) reset.mutate({ id: user.user_id })
  }
  return (
    <Stack gap="xs" mt="xl" pt="md" style={{ borderTop: '1px solid var(--edge)' }}>
      <Text fw={600}>{t('Second factor')}</Text>
      <QueryState of={factors} shape="form">
        {({ totp_since, recovery_left, passkeys, required }) => (
          <>
            {totp_since === null && passkeys.length === 0 ? (
              <Group gap="xs">
                <Text size="sm">{t('None')}</Text>
                {required ? <StateBadge tone="soon">{t('Needed')}</StateBadge> : null}
              </Group>
            ) : null}
            {totp_since === null ? null : (
              <Text size="sm">
                {t('Code app since {{when}}', { when: instant(totp_since) })},{' '}
                {t('{{count}} recovery codes left', { count: recovery_left })}
              </Text>
            )}
            {passkeys.map(passkey => (
              <Text key={passkey.id} size="sm">
                {t('Passkey {{name}}, added {{when}}', { name: passkey.name, when: instant(passkey.created_at) })}
              </Text>
            ))}
            {(totp_since !== null || passkeys.length > 0) && user.user_id !== me.user_id ? (
              <Group>
                <Button variant="default" loading={reset.isPending} onClick={() => void ask()}>
                  {t('Reset second factor')}
                </Button>
              </Group>
            ) : null}
          </>
        )}
      </QueryState>
    </Stack>
  )
}
