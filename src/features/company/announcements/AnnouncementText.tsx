/** The text of an announcement as its readers see it: plain, with its own line ends, in its own language. */
import { Text, Title } from '@mantine/core'
import type { Locale } from '#contract/limits.ts'

export function AnnouncementText({ title, body, locale }: { title: string; body: string; locale: Locale }) {
  return (
    <div lang={locale.slice(0, 2)} style={{ overflowWrap: 'anywhere' }}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Text style={{ whiteSpace: 'pre-wrap' }}>{body}</Text>
    </div>
  )
}
