import type { Language } from '../language.ts'

export const portuguese: Language = {
  code: 'código, códigos, codigo, codigos',
  password: 'senha, senhas, palavra-passe',
  key: 'chave, token',
  verificationCode: `
    senha de uso único, senha temporária, senha descartável, senha provisória, palavra-passe única,
    palavra-passe de utilização única, palavra-passe temporária, chave de acesso, palavra secreta,
    frase secreta, palavra de acesso
  `,
  verify: `
    verific*, autentic*, validação, validar, valide, duas etapas, dois fatores, ativar, ativação,
    ative
  `,
  confirm: 'confirm*',
  signIn: 'iniciar, início de sessão, login, entrar, entre na, sessão',
  reset: 'redefini*, recuper*, nova senha, esqueceu, repor',
  secret: `
    seguranç*, uso único, utilização única, dígitos, identi*, temporári*, secreto, único, desbloque*,
    cadastro
  `,
  access: 'acesso, acessar, aceder',
  purpose: `
    confirme seu, confirme sua, confirme o, confirmar seu, confirmar sua, confirmar o, confirma que
  `,
  otherwise: `
    postal, desconto, promocional, barras, rastreio, rastreamento, fonte, produto, pedido, cliente,
    indicação, convite, erro, reserva, país, cor, cupom, retirada, qr, amigo, referência, conduta
  `,
  yours: 'seu, sua, teu, tua, o, a, este, seguinte, novo',
  is: 'é, como, e, são, seguinte, é o',
  enter: 'digite, insira, use, utilize, introduza, informe, escreva, coloque',
  names: `
    pedido, fatura, cliente, conta, referência, rastreio, tel, telefone, ligue, número, nº, cartão,
    final, terminado em, desde, voo, assento, quarto, reserva, protocolo, cep, cnpj, cpf, nif
  `,
  time: 'minuto, minutos, min, hora, horas, dia, dias, segundo, segundos',
  unit: 'semanas, semana, mês, meses, ano, anos, reais, euro, euros, pontos, pessoas, vezes',
  warns: 'válido, expira, não compartilhe, não partilhe, não solicitou, não pediu, ignore este',
  offer: 'desconto*, cupom',
  booking: 'voo, reserva, hospedagem',
  meeting: 'reunião, reuniões',
  links: {
    confirm:
      'confirm(?!ad[oa]|ação (?:de|do|da) (?:seu |sua )?(?:pedido|compra|reserva))|verifi(?!cad[oa])|ativar|ativação|ative (?:a|o|su)|validar|valide (?:a|o|se)|validação|conclu\\w+ .{0,8}(?:registo|registro|cadastro|inscrição)|activar|active (?:a|o)\\b',
    sign_in:
      'entrar\\b|entre (?:na|em|no)\\b|inici(?:ar?|e) (?:a )?sessão|acess(?:e|ar)\\b|fa(?:ça|zer) login|login|link mágico',
    reset:
      'redefin(?:ir|a|ição)\\b|repor a|recuper(?:ar|e|ação)|restaur|(?:nova|alter\\w+|criar?|crie|escolh\\w+|esquec\\w+|defin\\w+) .{0,12}(?:senha|palavra-passe)',
    invite: 'convite\\b|convidad[oa]|convidou|convida (?:você|te)|(?:te|você) convid',
    join: 'aceit|junte-se|juntar|participar|entrar n[ao]',
    deny: '\\bse .{0,50}\\bnão\\b|não foi você|não solicit',
    report:
      '(?:senha|palavra-passe|conta|endereço)\\b.{0,40}(?:foi|alterad|atualizad)|nov[oa] (?:acesso|login|dispositivo|início)',
    unsubscribe: 'descadastr|cancelar (?:a )?(?:inscrição|assinatura)',
    legal: 'privacidade|termos|(?:visualizar|abrir) .{0,20}navegador',
  },
}
