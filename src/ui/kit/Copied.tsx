/** Text for another program: shown whole, and copied with one press. */
import { Code, Group } from '@mantine/core'
import { apiHost, companyOfHost } from '#ui/query/request-context.ts'
import { CopyButton } from './CopyButton.tsx'

/** Where a program outside of this page finds the call. */
export const addressOf = (path: string): string => `${apiHost() || window.location.origin}/api/${companyOfHost()}/${path}`

export function Copied({ text, label, block }: { text: string; label: string; block?: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Code block style={{ flex: 1, minWidth: 0, whiteSpace: block ? 'pre-wrap' : 'normal', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyButton text={text} label={label} />
    </Group>
  )
}
