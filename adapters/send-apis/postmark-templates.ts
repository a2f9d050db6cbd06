import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Clock } from '../../core/clock.ts'
import type { EmailTemplates } from '../../core/inbox/templates.ts'
import { jsonBody, type ProviderEnv } from './provider.ts'
import { checkTemplate, renderLenient } from './render.ts'
import { SendError } from './send-error.ts'

const PROVIDER = 'postmark'

const Template = v.object({
  Name: v.optional(v.string(), ''),
  Alias: v.nullish(v.string()),
  Subject: v.optional(v.string(), ''),
  HtmlBody: v.nullish(v.string()),
  TextBody: v.nullish(v.string()),
})

type TemplateInput = v.InferOutput<typeof Template>

interface StoredPostmarkTemplate extends TemplateInput {
  TemplateId: number
}

/**
 * Templates of Postmark. The name in the store is the alias, or the id of a template without one.
 */
export class PostmarkTemplates {
  readonly #store: EmailTemplates
  readonly #clock: Clock

  constructor(store: EmailTemplates, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** @throws SendError */
  async create(input: TemplateInput): Promise<StoredPostmarkTemplate> {
    check(input)
    const createdAt = this.#clock()
    const TemplateId = createdAt % 1_000_000_000
    const template = { ...input, TemplateId }
    const content = JSON.stringify(template)
    const outcome = await this.#store.create(PROVIDER, {
      name: input.Alias ?? String(TemplateId),
      content,
      createdAt,
    })
    if (outcome === 'exists') throw new SendError('template_exists', 'The Alias is already in use.')
    if (outcome === 'full')
      throw new SendError('limit_exceeded', 'The store holds the most templates it may.')
    return template
  }

  /** @throws SendError `template_not_found` */
  async find(aliasOrId: string | number | null | undefined): Promise<StoredPostmarkTemplate> {
    const stored = aliasOrId == null ? undefined : await this.#store.find(PROVIDER, String(aliasOrId))
    if (stored === undefined) {
      throw new SendError(
        'template_not_found',
        `The Template's 'ID' or 'Alias' associated with this request (${aliasOrId ?? 'none'}) is not valid or was not found.`,
      )
    }
    return JSON.parse(stored.content) as StoredPostmarkTemplate
  }

  /** @throws SendError `template_not_found` */
  async remove(aliasOrId: string): Promise<void> {
    await this.find(aliasOrId)
    await this.#store.remove(PROVIDER, aliasOrId)
  }

  /** @throws SendError `template_not_found` or `rendering` */
  async render(
    aliasOrId: string | number | null | undefined,
    model: Record<string, unknown>,
  ): Promise<{ Subject: string; HtmlBody: string | undefined; TextBody: string | undefined }> {
    const { Subject, HtmlBody, TextBody } = await this.find(aliasOrId)
    return {
      Subject: renderLenient(Subject, model, false),
      HtmlBody: HtmlBody == null ? undefined : renderLenient(HtmlBody, model, true),
      TextBody: TextBody == null ? undefined : renderLenient(TextBody, model, false),
    }
  }
}

/** @throws SendError `template_invalid` */
function check(input: TemplateInput): void {
  checkTemplate([input.Subject, input.HtmlBody ?? '', input.TextBody ?? ''])
}

/** Create, get and delete templates. @see https://postmarkapp.com/developer/api/templates-api */
export function postmarkTemplateRoutes(routes: Hono<ProviderEnv>, templates: PostmarkTemplates): void {
  routes.post('/templates', async (c) => {
    const { TemplateId, Name, Alias } = await templates.create(jsonBody(c, Template))
    return c.json({ TemplateId, Name, Alias: Alias ?? null, Active: true, TemplateType: 'Standard' })
  })
  routes.get('/templates/:id', async (c) => {
    const template = await templates.find(c.req.param('id'))
    return c.json({ ...template, Active: true, TemplateType: 'Standard' })
  })
  routes.delete('/templates/:id', async (c) => {
    await templates.remove(c.req.param('id'))
    return c.json({ ErrorCode: 0, Message: 'Template removed.' })
  })
}
