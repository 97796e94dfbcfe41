/** What a template or a text becomes for an order: the message itself, its size and price, and what is missing. */
import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { Locale } from '#contract/limits.ts'
import { decimalsOf } from '#domain/money.ts'
import { minorOfMicro, withPlainCharacters } from '#features/deliveries/sms/sms-price.rules.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { money } from '#ui/kit/format.ts'
import { Skeleton } from '#ui/kit/Skeleton.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './Templates.module.css'
import type { MessageChannel } from './templates.codes.ts'
import { templates } from './templates.contract.ts'
import type { EmailBlock, MessagePreview } from './templates.schemas.ts'

export interface PreviewedMessage {
  channel: MessageChannel
  body: string
  subject: string
  blocks: readonly EmailBlock[]
  /** 0: what is written here; else the stored template. */
  index?: number
  order_id?: number | null
  locale?: Locale
}

interface PreviewProps extends PreviewedMessage {
  /** Takes the text without the characters that make it dearer. */
  replace?: (text: string) => void
}

export function MessagePreviewPanel({ channel, body, subject, blocks, index = 0, order_id = null, locale, replace }: PreviewProps) {
  const t = useT()
  const [asked] = useDebouncedValue({ channel, body, subject, blocks, order_id, index, locale }, 300)
  const empty = asked.index === 0 && (asked.channel === 'sms' ? asked.body === '' : asked.blocks.length === 0)
  const written = asked.index === 0 ? { body: asked.body, subject: asked.subject, blocks: [...asked.blocks] } : {}
  const preview = useCall(
    templates.preview,
    {
      index: asked.index,
      body: { channel: asked.channel, order_id: asked.order_id, ...written, ...(asked.locale && { locale: asked.locale }) },
    },
    { enabled: !empty, keep: true, fresh: 10_000 },
  )
  if (empty)
    return (
      <Text size="sm" c="dimmed">
        {t('The preview starts when something is written.')}
      </Text>
    )
  if (preview.error) return <ErrorState error={preview.error} again={() => void preview.refetch()} />
  if (!preview.data) return <Skeleton shape="rows" />
  return <Shown of={preview.data} {...(replace && { replace: () => replace(withPlainCharacters(body)) })} />
}

function Shown({ of: preview, replace }: { of: MessagePreview; replace?: () => void }) {
  const t = useT()
  return (
    <Stack gap="sm" component="section" aria-label={t('Preview')}>
      {preview.html === null ? (
        <div className={style.bubble}>{preview.text}</div>
      ) : (
        <EmailPreview subject={preview.subject} html={preview.html} text={preview.text} />
      )}
      {preview.html === null ? <SmsSizeLine of={preview} /> : null}
      {preview.missing.length > 0 ? (
        <Alert color="amber" py="xs">
          {t('This order has no value for: {{words}}. Give a fallback.', { words: preview.missing.join(', ') })}
        </Alert>
      ) : null}
      {replace && preview.replaced.length > 0 && preview.encoding === 'UCS-2' ? (
        <Group gap="xs">
          <Text size="sm">{t('{{sign}} makes the text cost more parts.', { sign: preview.replaced.map(one => one.from).join(' ') })}</Text>
          <Button size="compact-sm" variant="default" onClick={replace}>
            {t('Replace')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  )
}

/** `148 · 1 part · 0.31 DKK · GSM-7`. */
export function SmsSizeLine({ of: size }: { of: Pick<MessagePreview, 'characters' | 'parts' | 'price_micro' | 'currency' | 'encoding'> }) {
  const t = useT()
  const price = size.price_micro > 0 ? money(minorOfMicro(size.price_micro, decimalsOf(size.currency)), size.currency) : ''
  return (
    <Text size="sm" c="dimmed" aria-live="polite" className="num">
      {[t('{{count}} characters', { count: size.characters }), t('{{count}} parts', { count: size.parts }), price, size.encoding ?? '']
        .filter(Boolean)
        .join(' · ')}
    </Text>
  )
}

const widths = { phone: 390, desk: 640 } as const

/** The address of the mail as a file of its own: the page's policy lets no text become markup, that of a frame neither. */
function useFileOf(html: string): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([html], { type: 'text/html;charset=utf-8' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [html])
  return address
}

/** The mail in a frame that runs nothing and loads nothing. */
export function EmailPreview({ subject, html, text }: { subject: string; html: string; text: string }) {
  const t = useT()
  const [shown, setShown] = useState<'desk' | 'phone' | 'text'>('desk')
  const address = useFileOf(html)
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text fw={600} truncate>
          {subject}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('Shown as')}
          data={[
            { value: 'desk', label: t('Desk') },
            { value: 'phone', label: t('Phone') },
            { value: 'text', label: t('Text') },
          ]}
          value={shown}
          onChange={value => setShown(value === 'phone' || value === 'text' ? value : 'desk')}
        />
      </Group>
      {shown === 'text' ? (
        <div className={style.plain}>{text}</div>
      ) : (
        <iframe
          title={t('Preview of the e-mail')}
          sandbox=""
          src={address}
          className={style.mail}
          style={{ maxWidth: widths[shown] }}
          tabIndex={-1}
        />
      )}
    </Stack>
  )
}
