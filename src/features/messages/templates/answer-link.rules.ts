/** Whether a message asks its recipient: its text holds the link by which the answer is given. */
import type { AnswerChoice, MessageTrigger } from './templates.codes.ts'

const answerSentences = {
  noChoices: 'Choose what the recipient can answer.',
  noLink: 'Put the link to the answer into the text.',
} as const

/** As an e-mail has it. */
interface Block {
  kind: string
  text?: string
  target?: string
}

interface Texts {
  body?: string | undefined
  subject?: string | undefined
  blocks?: readonly Block[] | undefined
}

const hasAnswerWord = (written: string): boolean => /\{[{%][^}]*\banswer_url\b/.test(written)

export const asksRecipient = ({ body = '', subject = '', blocks = [] }: Texts): boolean =>
  hasAnswerWord(body) ||
  hasAnswerWord(subject) ||
  blocks.some(block => hasAnswerWord(block.text ?? '') || (block.kind === 'button' && block.target === 'answer'))

/** The sentence for a text without choices, or choices without a link; null where both or neither are there. */
export function answerMistake(texts: Texts, choices: readonly AnswerChoice[]): string | null {
  if (asksRecipient(texts)) return choices.length === 0 ? answerSentences.noChoices : null
  return choices.length > 0 ? answerSentences.noLink : null
}

/** What is offered at first, by occasion. */
export const usualChoices = (trigger: MessageTrigger): AnswerChoice[] =>
  trigger === 'item_missing_question' ? ['ship_partially', 'wait', 'cancel_line'] : trigger === 'on_hold_question' ? ['new_address'] : []
