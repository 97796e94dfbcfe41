/** Texts of templates: whether they can be filled, and the layout that is stored with them. */
import { layoutOf } from './email-layout.server.ts'
import { checkTemplateText } from './liquid-text.server.ts'
import type { EmailBlock } from './templates.schemas.ts'

interface Texts {
  body: string
  subject: string
  blocks: readonly EmailBlock[]
}

export function checkTexts({ body, subject, blocks }: Texts): void {
  checkTemplateText(body, 'body')
  checkTemplateText(subject, 'subject')
  for (const [at, block] of blocks.entries()) if ('text' in block) checkTemplateText(block.text, `blocks.${at}.text`)
}

export const layoutFor = async ({ channel, blocks }: { channel: string; blocks: readonly EmailBlock[] }): Promise<string> =>
  channel === 'email' ? layoutOf(blocks) : ''
