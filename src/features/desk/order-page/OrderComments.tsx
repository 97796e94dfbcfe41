/** Comments: warnings first, and a box to add one. */
import { Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconBulb, IconInfoCircle, IconThumbUp } from '@tabler/icons-react'
import { among, isText, objectOf } from '#domain/guards.ts'
import { commentTypes } from '#features/orders/orders/comments/order-comments.codes.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import type { CommentType } from '#features/orders/orders/comments/order-comments.schemas.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { useDraft } from '#ui/kit/drafts.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { submitKey } from '#ui/kit/submit-key.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSend } from '#ui/query/calls.ts'
import style from './OrderPage.module.css'

const icons = { info: IconInfoCircle, praise: IconThumbUp, advice: IconBulb, warning: IconAlertTriangle }
const tones: Record<CommentType, Tone> = { info: 'plain', praise: 'done', advice: 'busy', warning: 'stop' }

interface Half {
  comment: string
  type: CommentType
}
const empty: Half = { comment: '', type: 'info' }
const half = { empty, fits: objectOf<Half>({ comment: isText, type: among(commentTypes) }) }

export function OrderComments({ order }: { order: Order }) {
  const t = useT()
  const draft = useDraft(`order ${order.id} comment`, half)
  const { comment, type } = draft.value
  const add = useSend(orderComments.add, {
    refreshes: [orders.get, orders.timeline, orderComments.list],
    // A person who typed on meanwhile keeps that.
    done: (_, { body }) => (body.comment === comment ? draft.forget() : undefined),
  })
  const words: Record<CommentType, string> = { info: t('Note'), praise: t('Praise'), advice: t('Advice'), warning: t('Warning') }
  return (
    <Panel title={t('Comments')} count={order.comments.length || null} flush place={6}>
      {order.comments.map(one => (
        <div key={one.comment_id} className={style.row}>
          <div className={style.rowHead}>
            <StateBadge tone={tones[one.type]} icon={icons[one.type]}>
              {words[one.type]}
            </StateBadge>
            <span className={style.by}>
              {one.actor}, <RelativeTime at={one.created_at} />
            </span>
          </div>
          <div className={style.comment}>{one.comment}</div>
        </div>
      ))}
      <form
        className={style.inset}
        style={order.comments.length > 0 ? { borderTop: '1px solid var(--edge)' } : undefined}
        onSubmit={event => {
          event.preventDefault()
          if (comment.trim() !== '') add.mutate({ id: order.id, type, body: { comment } })
        }}
      >
        <Stack gap="xs">
          <Textarea
            aria-label={t('New comment')}
            placeholder={t('Comment for pickers and packers')}
            className={style.grows ?? ''}
            rows={1}
            maxLength={2_000}
            value={comment}
            onChange={event => draft.set(event.currentTarget.value === '' ? empty : { type, comment: event.currentTarget.value })}
            onKeyDown={submitKey}
          />
          {comment === '' ? null : (
            <Group justify="space-between" gap="xs">
              <SegmentedControl
                size="xs"
                aria-label={t('Kind of comment')}
                value={type}
                onChange={value => draft.set({ comment, type: value })}
                data={(['info', 'advice', 'warning', 'praise'] as const).map(value => ({ value, label: words[value] }))}
              />
              <Button type="submit" size="compact-md" loading={add.isPending}>
                {t('Add comment')}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  )
}
