import type { Language } from './language.ts'

export const portuguese: Language = {
  code: 'código, códigos, codigo, codigos',
  password: 'senha, senhas, palavra-passe',
  key: 'chave, token',
  verificationCode: `
    senha de uso único, senha temporária, senha descartável, senha provisória, palavra-passe única,
    palavra-passe de utilização única, palavra-passe temporária, chave de acesso
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
  confirmLink: 'verific*, confirm*, ativar, ative, valid*',
  signInLink: 'entrar, iniciar sessão',
  invite: 'aceitar, aceite',
  unsubscribe: `
    descadastr*, cancelar inscrição, cancelar a inscrição, cancelar assinatura, cancelar a assinatura,
    cancelar subscrição
  `,
  legal: 'privacidade',
}
