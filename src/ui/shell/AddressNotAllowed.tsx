/** Explains why a screen does not open from here: the pattern, the own address, and what can be done. */
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDevice } from '#ui/device/device-storage.ts'
import { CopyButton } from '#ui/kit/CopyButton.tsx'
import { EmptyState } from '#ui/kit/EmptyState.tsx'
import { AccessDeniedIllustration } from '#ui/kit/illustrations.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { Screen } from '#ui/navigation/screen.ts'
import { signOut, useSession } from '#ui/query/session.ts'

export function LockedByAddress({ screen }: { screen: Screen }) {
  const t = useT()
  const session = useSession()
  const ip = useDevice('IP')
  return (
    <div style={{ margin: 'auto' }}>
      <EmptyState
        illustration={<AccessDeniedIllustration />}
        title={t('{{screen}}: warehouse only', { screen: t(screen.title) })}
        action={
          <Group justify="center" gap="xs">
            <Button onClick={() => location.reload()}>{t('Try again')}</Button>
            <Button variant="default" onClick={() => void signOut()}>
              {t('Sign out')}
            </Button>
          </Group>
        }
      >
        <Stack gap="xs" align="center">
          <Text>{t('This network address does not fit the pattern that the company has set for the warehouse.')}</Text>
          <Group gap={8}>
            {t('Your address')}: <Code>{ip?.public || '–'}</Code>
            {ip?.public ? <CopyButton text={ip.public} /> : null}
          </Group>
          <Group gap={8}>
            {t('Pattern')}: <Code>{session?.init.PackingApiIpBind ?? ip?.packing ?? '–'}</Code>
          </Group>
          <Text>{t('An administrator can change the pattern under Settings, Company.')}</Text>
        </Stack>
      </EmptyState>
    </div>
  )
}
