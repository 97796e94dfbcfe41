/** Until when a photo or a video is kept beyond its days, and why. */
import { Textarea, TextInput } from '@mantine/core'
import type { Call } from '#contract/endpoint.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { dateIn } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { mostHoldDays } from './hold.rules.ts'
import { Hold } from './packing-photos.schemas.ts'

interface HoldDialogProps {
  title: string
  held: { held_until: string | null; held_reason: string | null }
  keep: (hold: Hold) => Promise<unknown>
  refreshes: readonly Call[]
  /** What is said once it is kept. */
  said: string
  close: () => void
}

const daysOn = (days: number) => dateIn(Date.now() + days * 86_400_000)

export default function HoldDialog({ title, held, keep, refreshes, said, close }: HoldDialogProps) {
  const t = useT()
  const edit = useEdit({
    schema: Hold,
    initial: { until: held.held_until ?? daysOn(90), reason: held.held_reason ?? '' },
    save: keep,
    refreshes,
    said,
    done: close,
  })
  return (
    <Dialog opened onClose={close} title={title}>
      <Form edit={edit} action={title} cancel={close} unguarded>
        <Textarea
          label={t('Reason')}
          description={t('A claim, a case or a complaint. It stands in the log of the order.')}
          autosize
          minRows={2}
          data-autofocus
          {...edit.of('reason')}
        />
        <TextInput type="date" label={t('Until')} maw={200} min={daysOn(0)} max={daysOn(mostHoldDays)} {...edit.of('until')} />
      </Form>
    </Dialog>
  )
}
