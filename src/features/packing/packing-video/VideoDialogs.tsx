/** Keeps a video beyond its days, with a reason and a last day; and makes a link by which a person without a login sees it. */

import { Button, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod'
import HoldDialog from '#features/packing/packing-photos/HoldDialog.tsx'
import { Copied } from '#ui/kit/CopyButton.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { instant } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { type Received, send } from '#ui/query/calls.ts'
import { packingVideo } from './packing-video.contract.ts'
import type { PackingVideo } from './packing-video.schemas.ts'

interface VideoDialogProps {
  video: PackingVideo
  close: () => void
}

export function KeepVideo({ video, close }: VideoDialogProps) {
  const t = useT()
  return (
    <HoldDialog
      title={t('Keep video')}
      held={video}
      keep={body => send(packingVideo.hold, { id: video.id, body })}
      refreshes={[packingVideo.list, packingVideo.held]}
      said={t('The video is kept')}
      close={close}
    />
  )
}

const Sharing = z.object({ hours: z.string(), cut_at_label: z.boolean() })

export function ShareVideo({ video, close }: VideoDialogProps) {
  const t = useT()
  const [made, setMade] = useState<Received<typeof packingVideo.share> | null>(null)
  const hasLabel = video.marks.some(mark => mark.kind === 'label')
  const edit = useEdit({
    schema: Sharing,
    initial: { hours: '24', cut_at_label: hasLabel },
    save: ({ hours, cut_at_label }) => send(packingVideo.share, { id: video.id, body: { hours: Number(hours), cut_at_label } }),
    refreshes: [packingVideo.list],
    done: setMade,
  })
  return (
    <Dialog opened onClose={close} title={made ? t('Copy the link now') : t('Share by link')} size={made ? 'lg' : 440}>
      {made ? (
        <Stack>
          <Text>
            {t('Everyone with this link sees the video until {{time}}. It is shown only here and now.', { time: instant(made.expires_at) })}
          </Text>
          <Copied text={made.url} label={t('Copy link')} />
          <Group justify="flex-end">
            <Button onClick={close}>{t('Link copied')}</Button>
          </Group>
        </Stack>
      ) : (
        <Form edit={edit} action={t('Create link')} cancel={close} unguarded>
          <NativeSelect
            label={t('How long it works')}
            data={[
              { value: '1', label: t('1 hour') },
              { value: '24', label: t('1 day') },
              { value: '72', label: t('3 days') },
              { value: '168', label: t('7 days') },
            ]}
            {...edit.of('hours')}
          />
          <Switch
            label={t('End before the label is printed')}
            description={hasLabel ? t('The label shows a name and an address.') : t('No label was printed in this video.')}
            {...disabledBecause(!hasLabel && t('No label was printed in this video.'))}
            {...edit.of('cut_at_label', 'checkbox')}
          />
          <Text size="sm" c="dimmed">
            {t('The link shows the video and its marks, and nothing of the order.')}
          </Text>
        </Form>
      )}
    </Dialog>
  )
}
