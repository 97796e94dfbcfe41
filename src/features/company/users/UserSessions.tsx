/** The sessions of a user, and buttons to end them. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { confirm } from '#ui/kit/Confirm.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { browserOf } from './browsers.rules.ts'
import { users } from './users.contract.ts'
import type { Session, User } from './users.schemas.ts'

export function UserSessions({ user }: { user: User }) {
  const t = useT()
  const { user: me } = useSignedIn()
  const sessions = useCall(users.sessions, { id: user.user_id })
  const end = useSend(users.endSessions, { refreshes: [users.sessions], said: t('{{name}} is signed out', { name: user.name }) })
  const endOne = useSend(users.endSession, { refreshes: [users.sessions], said: t('Signed out there') })
  const ask = async () => {
    const sure = await confirm({
      title: t('Sign {{name}} out everywhere?', { name: user.name }),
      body: t('What they have not saved is lost. They can sign in again.'),
      action: t('Sign out everywhere'),
      danger: true,
    })
    if (sure) end.mutate({ id: user.user_id })
  }
  return (
    <Stack gap="xs" mt="xl" pt="md" style={{ borderTop: '1px solid var(--edge)' }}>
      <Text fw={600}>{t('Signed in')}</Text>
      <QueryState of={sessions} shape="rows">
        {rows => (
          <>
            {rows.length === 0 ? <Text c="dimmed">{t('Nowhere at the moment')}</Text> : null}
            {rows.map(row => (
              <SessionRow
                key={row.id}
                session={row}
                beside={
                  <Button size="compact-sm" variant="default" onClick={() => endOne.mutate({ id: user.user_id, session_id: row.id })}>
                    {t('Sign out')}
                  </Button>
                }
              />
            ))}
            {rows.length > 0 && user.user_id !== me.user_id ? (
              <Group>
                <Button variant="default" onClick={() => void ask()} loading={end.isPending}>
                  {t('Sign out everywhere')}
                </Button>
              </Group>
            ) : null}
          </>
        )}
      </QueryState>
    </Stack>
  )
}

/** One session: browser, address, start. */
export function SessionRow({ session, beside }: { session: Session; beside?: React.ReactNode }) {
  const t = useT()
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate title={session.user_agent ?? undefined}>
          {browserOf(session.user_agent) ?? t('Unknown program')}
          {session.ip ? ` · ${session.ip}` : ''}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {t('Last used')} <RelativeTime at={session.last_used_at} as="age" />
        </Text>
      </div>
      {session.current ? <StateBadge tone="done">{t('Here')}</StateBadge> : beside}
    </Group>
  )
}
