import type { Hono } from 'hono'
import * as v from 'valibot'
import type { Clock } from '../../core/clock.ts'
import type { EmailTemplates } from '../../core/inbox/templates.ts'
import { describeTemplate } from './described-template.ts'
import type { Parts } from './message.ts'
import { jsonBody, type ProviderEnv } from './provider.ts'
import { checkTemplate, Renderer } from './render.ts'
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
    const stored = aliasOrId == null ? undefined : await this.#stored(aliasOrId)
    if (stored === undefined) {
      throw new SendError(
        'template_not_found',
        `The Template's 'ID' or 'Alias' associated with this request (${aliasOrId ?? 'none'}) is not valid or was not found.`,
      )
    }
    return stored
  }

  async #stored(aliasOrId: string | number): Promise<StoredPostmarkTemplate | undefined> {
    const stored = await this.#store.find(PROVIDER, String(aliasOrId))
    return stored && (JSON.parse(stored.content) as StoredPostmarkTemplate)
  }

  /** @throws SendError `template_not_found` */
  async remove(aliasOrId: string): Promise<void> {
    await this.find(aliasOrId)
    await this.#store.remove(PROVIDER, aliasOrId)
  }

  /**
   * The parts of a mail, and the function that renders them. A template that only the provider has
   * becomes its name and its data.
   * @throws SendError `template_not_found` if none is named
   */
  async partsOf(
    aliasOrId: string | number | null | undefined,
    model: Record<string, unknown>,
  ): Promise<{ parts: Parts; finish?: () => Parts }> {
    const stored = aliasOrId == null ? undefined : await this.#stored(aliasOrId)
    if (stored === undefined && aliasOrId != null) {
      const { subject, text } = describeTemplate(String(aliasOrId), model)
      return { parts: { subject, text, html: undefined } }
    }
    const template = stored ?? (await this.find(aliasOrId))
    const { Subject: subject, TextBody, HtmlBody } = template
    const parts = { subject, text: TextBody ?? undefined, html: HtmlBody ?? undefined }
    return { parts, finish: () => rendered(template, model) }
  }
}

/** The parts of a message. @throws SendError `rendering` */
function rendered({ Subject, HtmlBody, TextBody }: TemplateInput, model: Record<string, unknown>): Parts {
  const renderer = new Renderer()
  return {
    subject: renderer.lenient(Subject, model, false),
    html: HtmlBody == null ? undefined : renderer.lenient(HtmlBody, model, true),
    text: TextBody == null ? undefined : renderer.lenient(TextBody, model, false),
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
