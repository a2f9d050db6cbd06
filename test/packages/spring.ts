/** A Spring Boot application that sends one mail and ends (applications.ts). */

export const SPRING_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>
    <version>3.5.6</version>
  </parent>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties><java.version>17</java.version></properties>
  <dependencies>
    <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-mail</artifactId></dependency>
  </dependencies>
  <build><plugins>
    <plugin><groupId>org.codehaus.mojo</groupId><artifactId>exec-maven-plugin</artifactId><version>3.5.1</version></plugin>
  </plugins></build>
</project>
`

export const SPRING_APP = `package shop;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;

@SpringBootApplication
public class App implements CommandLineRunner {
  private final JavaMailSender sender;
  @Value("\${mail.to}") private String to;

  public App(JavaMailSender sender) { this.sender = sender; }

  public static void main(String[] args) { SpringApplication.run(App.class, args); }

  @Override public void run(String... args) {
    var mail = new SimpleMailMessage();
    mail.setFrom("app@shop.example");
    mail.setTo(to);
    mail.setSubject("Welcome");
    mail.setText("Your code is 739105.");
    sender.send(mail);
  }
}
`
