/** Boards: handlers. */
import { AppError } from '#contract/errors.ts'
import { implement } from '#platform/http/feature-module.ts'
import { touchBoardToken } from './boards.commands.ts'
import { boards } from './boards.contract.ts'
import { boardCookie } from './boards.queries.ts'
import { boardsSchemas } from './boards.schemas.ts'

export const boardsServer = implement(boards, boardsSchemas, {
  async open({ body }, context) {
    const board = await touchBoardToken(context, body.token)
    if (!board) throw new AppError(410, 'board_ended', 'This board link was revoked. Ask for a new one.')
    context.setHeader('set-cookie', boardCookie(context, board.id))
    return { id: board.id, kind: board.kind, name: board.name }
  },
})
