/** One announcement on the whole page, with its answer. */

import { Alert, Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { errorSentence } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import { signOut } from '#ui/query/session.ts'
import { AnnouncementText } from './AnnouncementText.tsx'
import { announcements } from './announcements.contract.ts'
import type { WaitingAnnouncement } from './announcements.schemas.ts'

export function AnnouncementPage({ of, count }: { of: WaitingAnnouncement; count: number }) {
  const t = useT()
  const [read, setRead] = useState(false)
  const asks = of.mode === 'must_agree'
  const { id, version_no, sha256, text } = of
  // A refusal says that there is a newer text: it is read again too.
  const agree = useSend(announcements.agree, { refreshes: [announcements.waiting, announcements.list, announcements.get], quiet: true })
  const label = asks ? t('Read and agree') : t('Read this')
  return (
    <Modal
      opened
      fullScreen
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={() => undefined}
      title={count > 1 ? `${label} · ${t('{{count}} more to read', { count: count - 1 })}` : label}
      styles={{ header: { maxWidth: 752, marginInline: 'auto' } }}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="lg" maw={720} mx="auto" py="md">
        <AnnouncementText {...text} />
        {asks ? (
          <Checkbox
            size="md"
            label={t('I have read this and agree')}
            checked={read}
            onChange={event => setRead(event.currentTarget.checked)}
          />
        ) : null}
        {agree.error ? (
          <Alert color="brick" role="alert">
            {errorSentence(agree.error)}
          </Alert>
        ) : null}
        <Group>
          <Button
            size="lg"
            data-autofocus
            {...disabledBecause(asks && !read && t('Tick the box above first'))}
            loading={agree.isPending}
            onClick={() => agree.mutate({ id, body: { version_no, sha256, locale: text.locale } })}
          >
            {asks ? t('Agree') : t('Got it')}
          </Button>
          <Button size="lg" variant="subtle" color="gray" onClick={() => void signOut()}>
            {t('Sign out')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
